/**
 * Orders of a shop: POST /orders adds one, GET /orders returns all, one line of JSON each. Version 2 also stores the
 * price of an order. The file `version` has the version of this image.
 */
/* oxlint-disable typescript/no-unsafe-argument, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-return -- plain JavaScript, that runs without a build */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import process from 'node:process';

import { historyPath, note, ordersPath, pricesPath, Store } from './store.mjs';

const version = Number(readFileSync(new URL('version', import.meta.url), 'utf8'));
const prices = version === 1 ? null : JSON.parse(readFileSync(pricesPath, 'utf8'));
const store = await Store.open();

const server = createServer((request, response) => {
  response.setHeader('connection', 'close');
  void serve(request, response);
});
server.listen(8080, process.env.HOST, () => {
  note({ what: 'serves', version });
});

/** Answers the requests in progress, then exits. */
process.on('SIGTERM', () => {
  note({ what: 'is told to end', version });
  server.close(() => {
    note({ what: 'is gone', version });
    process.exit(0);
  });
});

async function serve(request, response) {
  try {
    const [status, text] = await answer(request);
    response.writeHead(status).end(`${text}\n`);
  } catch (error) {
    response.writeHead(500).end(`${String(error)}\n`);
  }
}

async function answer(request) {
  switch (`${request.method} ${request.url}`) {
    case 'GET /ready':
      return [200, `v${version}`];
    case 'GET /orders':
      return [200, (await readFile(ordersPath, 'utf8')).trimEnd()];
    case 'GET /history':
      return [200, (await readFile(historyPath, 'utf8')).trimEnd()];
    case 'POST /orders':
      return take(orderIn(await textOf(request)));
    case 'POST /freeze':
      await store.freeze();
      return [200, 'frozen'];
    case 'POST /thaw':
      store.thaw();
      return [200, 'thawed'];
    case 'GET /frozen':
      return store.frozen ? [200, 'frozen'] : [409, 'not frozen'];
    default:
      return [404, 'there is no such page'];
  }
}

/** An order without fields if the text is no JSON object. */
function orderIn(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

async function take({ id, item, quantity }) {
  const known = prices === null || Object.hasOwn(prices, item);
  if (typeof id !== 'string' || !Number.isInteger(quantity) || !known) return [400, 'no order'];
  const order = { id, item, quantity };
  if (prices !== null) order.cents = quantity * prices[item];
  await store.add(order);
  return [201, JSON.stringify({ ...order, by: process.env.HOSTNAME, version })];
}

async function textOf(request) {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += piece;
  return text;
}
