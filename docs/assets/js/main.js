/** What every page runs. */

import { markSlots } from "./entry-page.js";
import { reachTables } from "./tables.js";
import { watchSearchField } from "./search-field.js";

const home = document.getElementById("diagnosis");
// Only the home page needs the code that draws answers.
const open = home ? (await import("./home.js")).startHome(home) : null;
watchSearchField(open);
markSlots();
reachTables();
// Only an entry's page has either.
if (document.getElementById("fill-in")) (await import("./fill-in.js")).startFillIn();
if (document.getElementById("checklist")) (await import("./checklist.js")).startChecklist();
