/**
 * The hook of every stage, in a pod of the new version. For version 2:
 *   pre   writes the file of the prices, which version 1 ignores
 *   mid   adds the price to every order, while no server has the store open
 *   post  verifies that every order has a price
 */
/* oxlint-disable typescript/no-unsafe-argument, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-return -- plain JavaScript, that runs without a build */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import process from 'node:process';

import { note, ordersPath, pricesPath } from './store.mjs';

const version = Number(readFileSync(new URL('version', import.meta.url), 'utf8'));
const stage = process.env.LIFEHOOK_STAGE;
const stages = { pre, mid, post };

note({ what: `${stage} begins`, version });
process.stdout.write(`${stages[stage]()}\n`);
note({ what: `${stage} has ended`, version });

function pre() {
  if (version === 1) return 'there is nothing to prepare';
  replace(pricesPath, JSON.stringify({ tea: 250, coffee: 300, cake: 425 }));
  return 'the prices are there';
}

/** Idempotent. */
function mid() {
  const orders = readOrders();
  if (version === 1) return 'the store is there';
  const prices = JSON.parse(readFileSync(pricesPath, 'utf8'));
  const lines = orders.map((order) => {
    const cents = order.quantity * prices[order.item];
    return `${JSON.stringify({ ...order, cents })}\n`;
  });
  replace(ordersPath, lines.join(''));
  return `${orders.length} orders have their price`;
}

function post() {
  const wrong = readOrders().filter(({ cents }) => version === 2 && !Number.isInteger(cents));
  if (wrong.length > 0) throw new Error(`${wrong.length} orders have no price`);
  return 'all orders are as they are to be';
}

/** Creates the file if it does not exist. */
function readOrders() {
  const text = readFileSync(ordersPath, { encoding: 'utf8', flag: 'a+' });
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}

/** Replaces the whole file or nothing. */
function replace(path, text) {
  writeFileSync(`${path}.new`, text, { flush: true });
  renameSync(`${path}.new`, path);
}
