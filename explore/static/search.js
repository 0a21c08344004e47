// Search as you type: the hits are a part of the search page, and the address says what was looked for.
"use strict";
const field = document.getElementById("q");
const hits = document.getElementById("hits");
let waiting = 0;
let last = field ? field.value : "";
document.addEventListener("keydown", (event) => {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  if (event.key === "/" && !typing && field) {
    event.preventDefault();
    field.focus();
    field.select();
  }
});
if (field && hits) {
  field.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      const asked = field.value;
      if (asked === last) return;
      last = asked;
      const query = new URLSearchParams({ q: asked });
      const answer = await fetch("/search?part=1&" + query, { credentials: "same-origin" });
      const text = await answer.text();
      if (asked !== field.value) return;
      const page = new DOMParser().parseFromString(text, "text/html");
      hits.replaceChildren(...page.body.childNodes);
      history.replaceState(null, "", "/search?" + query);
    }, 180);
  });
}
