/** Functions that read the state of a page. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Longer than even a busy machine needs. Without this, `expect.poll` would wait for one second. */
const POLL = { timeout: 60_000 };

/** Calls `look` again until the chained assertion on its value holds. */
export const inTheEnd = <Value>(
  look: () => Promise<Value> | Value,
): ReturnType<typeof expect.poll> => expect.poll(look, POLL);

/** Resolves when the element has the text. */
export async function eventually(locator: Locator, text: string | RegExp): Promise<void> {
  await inTheEnd(() => locator.textContent()).toMatch(text);
}

/** Evaluates an expression in the page, and returns its value. */
export const evaluate = <Value>(page: Page, script: string): Promise<Value> =>
  page.evaluate(script);

/** Number of pixels of this palette colour on the canvas of the tracks. */
export const pixels = (page: Page, colour: string): Promise<number> =>
  evaluate(
    page,
    `(() => {
      const value = getComputedStyle(document.documentElement).getPropertyValue('--${colour}').trim();
      const want = [1, 3, 5].map((at) => parseInt(value.slice(at, at + 2), 16));
      const canvas = document.getElementById('lanes');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      let found = 0;
      for (let at = 0; at < data.length; at += 4) {
        if (want.every((part, index) => data[at + index] === part)) found += 1;
      }
      return found;
    })()`,
  );

/** Resolves once the page has drawn this number of frames. */
export const frames = (page: Page, count = 3): Promise<void> =>
  evaluate(
    page,
    `new Promise((done) => {
      const next = (left) => requestAnimationFrame(() => left > 0 ? next(left - 1) : done());
      next(${count});
    })`,
  );
