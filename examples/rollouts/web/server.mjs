/**
 * Customers of a shop: POST /customers with a name, GET /customers/ID. To keep the example short, this is the source of
 * all versions; the file `version` of an image has its version.
 */
/* oxlint-disable typescript/no-unsafe-argument, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-return -- plain JavaScript, that runs without a build */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import process from 'node:process';

import { Database, quote } from './database.mjs';

const version = Number(readFileSync(new URL('version', import.meta.url), 'utf8'));
const NAME = /^\p{L}+ [\p{L}\p{N} ]{1,60}$/u;

const first = (name) => `split_part(${quote(name)}, ' ', 1)`;
const last = (name) => `substr(${quote(name)}, strpos(${quote(name)}, ' ') + 1)`;
const handle = (name) => `lower(replace(${quote(name)}, ' ', '.'))`;

/** The columns that each version returns, and the values that it writes. */
const shapes = {
  1: { shown: ['name'], values: (name) => ({ name: quote(name) }) },
  2: {
    shown: ['first_name', 'last_name'],
    values: (name) => ({ first_name: first(name), last_name: last(name) }),
  },
  3: {
    shown: ['first_name', 'last_name', 'handle'],
    values: (name) => ({ first_name: first(name), last_name: last(name), handle: handle(name) }),
  },
};
const { shown, values } = shapes[Math.min(version, 3)];

const object = ['id', ...shown].map((column) => `'${column}', ${column}`).join(', ');
const row = `json_build_object('version', ${version}, ${object})`;

const database = new Database(`web v${version}`, () => process.exit(1));
const server = createServer((request, response) => {
  response.setHeader('connection', 'close');
  response.setHeader('x-version', version);
  void serve(request, response);
});
server.listen(8080, process.env.HOST);

/** Answers the requests in progress, then closes the connection to the database, which ends this program. */
process.on('SIGTERM', () => {
  server.close(() => {
    database.close();
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
  const [, id = ''] = /^\/customers\/(\d{1,9})$/.exec(request.url) ?? [];
  if (request.method === 'GET' && id !== '') {
    return told(await database.ask(`SELECT ${row} FROM customer WHERE id = ${id}`), 200);
  }
  if (request.method === 'POST' && request.url === '/customers') return add(await bodyOf(request));
  if (request.url === '/ready') return told(await database.ask('SELECT 1'), 200);
  return [404, 'there is no such page'];
}

async function add(name) {
  if (!NAME.test(name)) return [400, 'a name is wanted, such as "Ada Lovelace"'];
  const columns = values(name);
  const into = `customer (${Object.keys(columns).join(', ')})`;
  const what = Object.values(columns).join(', ');
  return told(await database.ask(`INSERT INTO ${into} VALUES (${what}) RETURNING ${row}`), 201);
}

function told({ state, rows: [found] }, status) {
  if (state !== '00000') return [503, `the database says ${state}`];
  return found === undefined ? [404, 'there is no such customer'] : [status, found];
}

async function bodyOf(request) {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += piece;
  return text;
}
