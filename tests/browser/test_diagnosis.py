"""A person pastes what failed and reads the answer, on a static host and through the server."""

import re

from playwright.sync_api import FilePayload, Page, Request, expect

from tests.browser.asking import CLEAR, PATIENCE, RANK, diagnose, example, verdict

START_UP = example(RANK, "match-start-up-lora-modules.txt")
MESSAGE = "LoRA rank 64 is greater than max_lora_rank 16"


def test_a_pasted_traceback_gets_its_answer_and_nothing_is_sent(quiet: Page, any_site: str) -> None:
    sent: list[Request] = []
    quiet.on("request", lambda request: sent.append(request) if request.method != "GET" else None)
    quiet.goto(any_site)
    answer = diagnose(quiet, START_UP)
    expect(answer.locator("h2")).to_have_text(re.compile("LoRA rank is greater than max_lora_rank"))
    line = START_UP.splitlines().index(next(each for each in START_UP.splitlines() if MESSAGE in each)) + 1
    expect(answer.locator(".fb-line--start")).to_have_attribute("data-line", str(line))
    expect(answer.locator(".fb-line--start .fb-found")).to_have_text(MESSAGE)
    expect(answer.locator(".fb-set")).to_have_text("--max-lora-rank64")
    expect(answer.locator(".fb-part--avoid li").first).to_be_visible()
    answer.get_by_role("link", name="Everything on this failure").click()
    expect(quiet.locator("h1")).to_have_text(re.compile("vLLM refuses a LoRA adapter"))
    assert quiet.url.startswith(f"{any_site}errors/{RANK}/#cause-")
    assert sent == []


def test_nothing_of_the_matcher_is_loaded_before_somebody_touches_the_box(
    page: Page, static_site: str
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(static_site, wait_until="networkidle")
    assert not [url for url in asked if "/matcher/" in url or "matcher-worker" in url]
    with page.expect_request(lambda request: "/matcher/" in request.url):
        page.locator("#fb-paste").focus()


def test_the_answered_check_moves_the_confidences_and_can_be_undone(warm: Page, with_check: str) -> None:
    answer = diagnose(warm, with_check)
    confidences = answer.locator(".fb-rival__confidence")
    before = confidences.all_text_contents()
    question = answer.locator(".fb-check h4").text_content() or ""
    answer.locator(".fb-outcome").nth(1).click()
    expect(answer.locator(".fb-answered")).to_contain_text(question)
    assert confidences.all_text_contents() != before
    answer.get_by_role("button", name="Undo").click()
    expect(answer.locator(".fb-answered")).to_have_count(0)
    assert confidences.all_text_contents() == before


def test_the_persons_own_command_is_shown_with_its_change(warm: Page) -> None:
    own = "$ vllm serve /models/m --enable-lora \\\n    --max-lora-rank 16 --port 8000\n"
    answer = diagnose(warm, f"{own}ValueError: {MESSAGE}.\n")
    change = answer.locator(".fb-change").first
    expect(change.locator("figcaption")).to_have_text("Your own, from line 1")
    expect(change.locator("del")).to_have_text("-     --max-lora-rank 16 --port 8000\n")
    expect(change.locator("ins")).to_have_text("+     --max-lora-rank 64 --port 8000\n")
    expect(change.locator("code")).to_contain_text("  vllm serve /models/m --enable-lora")


def test_a_hostile_paste_is_shown_as_text(warm: Page, static_site: str) -> None:
    attack = "<script>window.hit=1</script><img src=x onerror=window.hit=1>"
    paste = (
        f"{attack}\nValueError: {MESSAGE}. {attack}\n(EngineCore pid=1) ERROR {attack}\n[a](javascript:hit)\n"
    )
    answer = diagnose(warm, paste)
    expect(answer.locator(".fb-lines").first).to_contain_text(attack)
    assert warm.evaluate("window.hit") is None
    assert answer.locator("img, script, iframe").count() == 0
    hrefs = answer.locator("a").evaluate_all("links => links.map(link => link.href)")
    assert all(href.startswith(static_site) for href in hrefs)


def test_marks_stand_right_after_characters_of_two_units(warm: Page) -> None:
    answer = diagnose(warm, f"🔥🔥 step 7 🔥 ValueError: {MESSAGE}.\nValueError: {MESSAGE}.\n")
    for found in answer.locator(".fb-lines .fb-found").all_text_contents():
        assert found == MESSAGE


def test_the_keyboard_alone_pastes_reads_and_answers(quiet: Page, static_site: str, with_check: str) -> None:
    quiet.goto(static_site)
    expect(quiet.get_by_role("button", name="Diagnose")).to_be_enabled()
    for _ in range(20):
        quiet.keyboard.press("Tab")
        if quiet.evaluate("document.activeElement.id") == "fb-paste":
            break
    quiet.keyboard.insert_text(with_check)
    quiet.keyboard.press("Control+Enter")
    answer = verdict(quiet)
    expect(answer).to_be_focused()
    answer.get_by_role("tab").first.focus()
    quiet.keyboard.press("ArrowRight")
    expect(answer.get_by_role("tab").nth(1)).to_be_focused()
    expect(answer.get_by_role("tab").nth(1)).to_have_attribute("aria-selected", "true")
    for _ in range(60):
        quiet.keyboard.press("Tab")
        if quiet.evaluate("document.activeElement.matches('.fb-outcome')"):
            break
    expect(answer.locator(".fb-outcome:focus")).to_be_visible()
    quiet.keyboard.press("Enter")
    expect(answer.locator(".fb-answered")).to_be_visible()


def test_the_verdict_is_announced(warm: Page) -> None:
    diagnose(warm, START_UP)
    live = warm.locator('[data-part="progress"]')
    expect(live).to_have_attribute("aria-live", "polite")
    expect(live).to_contain_text("vLLM refuses a LoRA adapter")


def test_a_file_is_read_in_the_page(warm: Page) -> None:
    paste = FilePayload(name="server.log", mimeType="text/plain", buffer=START_UP.encode())
    warm.locator("#fb-file").set_input_files([paste])
    expect(verdict(warm).locator(".fb-set")).to_have_text("--max-lora-rank64")


def test_a_dropped_file_is_read_in_the_page(warm: Page) -> None:
    warm.evaluate(
        """text => {
            const carried = new DataTransfer();
            carried.items.add(new File([text], "server.log"));
            const drop = new DragEvent("drop", { dataTransfer: carried, bubbles: true, cancelable: true });
            document.querySelector(".fb-paste-box").dispatchEvent(drop);
        }""",
        START_UP,
    )
    expect(verdict(warm).locator(".fb-set")).to_have_text("--max-lora-rank64")


def test_a_log_too_large_to_edit_is_read_whole(warm: Page) -> None:
    healthy = "INFO 11-19 12:54:26 [loggers.py:123] Engine 000: all is well, cache usage 1.2%\n" * 6000
    paste = FilePayload(name="server.log", mimeType="text/plain", buffer=(healthy + START_UP).encode())
    warm.locator("#fb-file").set_input_files([paste])
    answer = verdict(warm)
    expect(answer.locator(".fb-set")).to_have_text("--max-lora-rank64")
    assert int(answer.locator(".fb-line--start").get_attribute("data-line") or 0) > 6000


def test_every_button_to_try_leads_to_a_sure_answer(warm: Page) -> None:
    labels = warm.locator(".fb-trial").all_text_contents()
    assert labels
    for label in labels:
        warm.get_by_role("button", name=label).click()
        expect(verdict(warm)).to_have_count(1)
        heading = warm.locator(".fb-verdict--match h2")
        expect(heading).not_to_be_empty()
        assert label.endswith(heading.text_content() or "?")
        warm.locator(CLEAR).click()


def test_a_healthy_log_is_told_to_be_one(warm: Page) -> None:
    answer = diagnose(warm, "INFO 11-19 12:54:26 [api_server.py:99] Started server process [1]\n")
    expect(answer.locator("h2")).to_have_text("Nothing failed in this paste")


def test_what_failed_first_is_shown_when_no_entry_explains_it(warm: Page) -> None:
    paste = 'Traceback (most recent call last):\n  File "/srv/toy.py", line 3, in turn\n    x = 1 / 0\n'
    answer = diagnose(warm, f"{paste}ZeroDivisionError: the toy cannot be turned by nothing\n")
    expect(answer.locator("h2")).to_have_text("Not a failure we know")
    expect(answer.locator(".fb-line--start")).to_contain_text("the toy cannot be turned by nothing")


def test_where_the_matcher_cannot_load_the_server_is_asked_only_when_told(
    page: Page, served_site: str
) -> None:
    page.route("**/assets/matcher/**", lambda route: route.abort())
    page.goto(served_site)
    page.locator("#fb-paste").fill(START_UP)
    page.get_by_role("button", name="Diagnose").click()
    notice = page.get_by_role("alert")
    expect(notice).to_contain_text("Nothing has been sent", timeout=PATIENCE)
    with page.expect_request("**/api/match"):
        notice.get_by_role("button", name=re.compile("^Send the paste to 127.0.0.1")).click()
    expect(verdict(page).locator(".fb-set")).to_have_text("--max-lora-rank64")
    expect(page.locator("#fb-privacy")).to_contain_text("is sent to 127.0.0.1")


def test_where_neither_matcher_nor_server_answers_the_page_says_so(page: Page, static_site: str) -> None:
    page.add_init_script("delete globalThis.WebAssembly")
    page.route("**/assets/matcher/**", lambda route: route.abort())
    page.goto(static_site)
    page.locator("#fb-paste").fill(START_UP)
    page.get_by_role("button", name="Diagnose").click()
    expect(page.get_by_role("alert")).to_contain_text("kb match FILE", timeout=PATIENCE)
