/**
 * Sends requests to a web server, each over a new connection, until this program gets TERM. Then it prints the number
 * of requests, and of failures. A request has failed if it was refused or cut off, or if its answer was late or wrong.
 *
 *   node client.mjs http://127.96.1.0/
 */
/* oxlint-disable typescript/no-unsafe-argument, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-return -- plain JavaScript, that runs without a build */
import { once } from 'node:events';
import { request } from 'node:http';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';

/** Number of requests in parallel. */
const CLIENTS = 4;
const PAUSE_MS = 5;
const PATIENCE_MS = 20_000;

const [, , url = ''] = process.argv;
const reasons = new Map();
let asked = 0;
const stopping = new AbortController();
process.on('SIGTERM', () => {
  stopping.abort();
});

await Promise.all(Array.from({ length: CLIENTS }, keepAsking));
const failed = [...reasons.values()].reduce((sum, count) => sum + count, 0);
for (const [reason, count] of reasons) process.stdout.write(`  ${count} x ${reason}\n`);
process.stdout.write(`${asked} requests, ${failed} failed\n`);

async function keepAsking() {
  while (!stopping.signal.aborted) {
    const wrong = await ask();
    asked += 1;
    if (wrong !== null) reasons.set(wrong, (reasons.get(wrong) ?? 0) + 1);
    await wait(PAUSE_MS);
  }
}

/** The reason why the request failed; null: it succeeded. */
async function ask() {
  const call = request(url, { agent: false, timeout: PATIENCE_MS });
  call.on('timeout', () => call.destroy(Object.assign(new Error('late'), { code: 'ETIMEDOUT' })));
  // The code below gets the same error. Without a listener, an error after the response would end the process.
  call.on('error', () => {});
  call.end();
  try {
    const [response] = await once(call, 'response');
    let text = '';
    for await (const piece of response.setEncoding('utf8')) text += piece;
    return judge(response.statusCode, text);
  } catch ({ code }) {
    return `no answer (${code})`;
  }
}

function judge(status, text) {
  if (status !== 200) return `status ${status}`;
  return /^served by web-.+\n$/.test(text) ? null : 'another text';
}
