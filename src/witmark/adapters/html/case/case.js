
// A diagnosis: filters of the matrix, keys, and folds that open for the place that is asked for.
// Without it everything stands on the page, and every link leads where it says.
(() => {
  const rows = [...document.querySelectorAll("tr[data-finding]")];
  const bar = document.querySelector(".filters");
  const keys = document.querySelector(".keys");
  const tests = {
    all: () => true,
    telling: (row) => row.dataset.telling === "yes",
    cited: (row) => row.dataset.cited === "yes",
    direct: (row) => row.dataset.kind === "direct",
  };

  function filter(name) {
    for (const row of rows) row.hidden = !tests[name](row);
    const rest = document.querySelector("#matrix details.more");
    if (rest !== null && name !== "all") rest.open = true;
    for (const button of bar.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.dataset.filter === name));
    }
  }

  if (bar !== null) {
    bar.hidden = false;
    for (const button of bar.querySelectorAll("button")) {
      button.addEventListener("click", () => filter(button.dataset.filter));
    }
  }
  if (keys !== null) keys.hidden = false;

  function unfold() {
    const asked = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (asked === null) return;
    for (let up = asked; up !== null; up = up.parentElement) {
      if (up.tagName === "DETAILS") up.open = true;
    }
    const own = asked.querySelector("details.quotes");
    if (own !== null) own.open = true;
    asked.scrollIntoView();
  }
  addEventListener("hashchange", unfold);
  unfold();

  function step(way) {
    const places = [...document.querySelectorAll("main > section")];
    const tops = places.map((one) => one.getBoundingClientRect().top);
    const next =
      way > 0
        ? places[tops.findIndex((top) => top > 80)]
        : places[tops.findLastIndex((top) => top < 0)];
    if (next === undefined) return;
    next.tabIndex = -1;
    next.focus({ preventScroll: true });
    next.scrollIntoView();
  }

  function fold() {
    const every = [...document.querySelectorAll("main details")];
    const open = every.some((one) => !one.open);
    for (const one of every) one.open = open;
  }

  const acts = {
    j: () => step(1),
    k: () => step(-1),
    e: fold,
    m: () => document.getElementById("matrix")?.scrollIntoView(),
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLInputElement) return;
    const act = acts[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
})();
