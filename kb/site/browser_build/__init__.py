"""Tools that run outside of this interpreter: in Node.js, and in the browser's own Python."""
