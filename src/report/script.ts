/**
 * The page's only script, whose digest its policy names. All that it does is search, copy, and open what a link leads to
 * in browsers that do not do so themselves; without it the page shows the same.
 */
export const SCRIPT = String.raw`"use strict";
(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const reveal = (hash) => {
    let at = document.getElementById(hash.slice(1));
    if (at === null) return;
    const target = at;
    for (; at !== null; at = at.parentElement) {
      if (at.tagName === "DETAILS") at.open = true;
      at.hidden = false;
    }
    target.scrollIntoView();
  };
  const follow = () => reveal(location.hash);
  addEventListener("hashchange", follow);
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (link !== null) reveal(link.hash);
  });
  follow();

  const copy = async (text, source) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const fold = source.closest("details");
      if (fold !== null) fold.open = true;
      getSelection().selectAllChildren(source);
      return document.execCommand("copy");
    }
  };
  for (const button of all("button[data-copy]")) {
    button.hidden = false;
    const words = [...button.childNodes];
    button.addEventListener("click", async () => {
      const source = document.getElementById(button.dataset.copy);
      const done = await copy(source.textContent, source);
      button.textContent = done ? "Copied" : "Selected: copy it by keyboard";
      setTimeout(() => { button.replaceChildren(...words); }, 2000);
    });
  }

  const form = document.getElementById("search");
  const field = document.getElementById("search-for");
  const found = document.getElementById("search-found");
  const rows = all(".searched");
  const texts = new Map();
  const plain = (text) => text.replace(/\s+/gu, " ").trim().toLowerCase();
  const textOf = (row) => {
    if (!texts.has(row)) texts.set(row, plain(row.textContent));
    return texts.get(row);
  };
  let waiting;
  const search = () => {
    const words = plain(field.value);
    let count = 0;
    for (const row of rows) {
      const hit = words === "" || textOf(row).includes(words);
      row.hidden = !hit;
      if (hit) count += 1;
    }
    found.textContent = words === "" ? "" : count + " of " + rows.length + (rows.length === 1 ? " entry" : " entries");
  };
  form.hidden = false;
  field.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(search, 120); });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    search();
    const first = rows.find((row) => !row.hidden);
    if (field.value.trim() === "" || first === undefined) return;
    if (first.tagName === "DETAILS") first.open = true;
    first.scrollIntoView();
  });
})();
`;
