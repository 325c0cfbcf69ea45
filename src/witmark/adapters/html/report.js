"use strict";
// Chooses a language, keeps the choice while the page is open, and unfolds places for print.
// Without this script the page shows both languages and the switch still works.
const key = "witmark-language";
const boxes = [...document.querySelectorAll('input[name="lang"]')];

function show(language) {
  document.documentElement.lang = language === "en" ? "en" : "zh-CN";
  document.documentElement.dataset.language = language;
  for (const image of document.querySelectorAll("img[data-zh]")) {
    const { zh, en } = image.dataset;
    image.alt = language === "both" ? `${zh} / ${en}` : language === "en" ? en : zh;
  }
}

function remembered() {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null; // storage may be closed to local files
  }
}

function remember(language) {
  try {
    sessionStorage.setItem(key, language);
  } catch {
    // the choice then lasts until the page is loaded again
  }
}

const wanted = remembered() ?? (navigator.language.startsWith("zh") ? "zh" : "en");
const first = boxes.find((box) => box.value === wanted) ?? boxes[0];
first.checked = true;
show(first.value);
for (const box of boxes) {
  box.addEventListener("change", () => {
    remember(box.value);
    show(box.value);
  });
}

let unfolded = [];
addEventListener("beforeprint", () => {
  unfolded = [...document.querySelectorAll("details.more:not([open]), details.parts:not([open])")];
  for (const fold of unfolded) fold.open = true;
});
addEventListener("afterprint", () => {
  for (const fold of unfolded) fold.open = false;
});
