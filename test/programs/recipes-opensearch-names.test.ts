/** The recipe for OpenSearch with a server that has many indices, as far as their names matter. */
import { createServer } from 'node:http';
import { afterEach, expect, it } from 'vitest';

import { actionsOf, exitCodeOf, openSession } from '../fixtures/snapshot/recipe-run.ts';
import { accessWith, freePort } from '../fixtures/snapshot/server-process.ts';

/** Bytes of a request line; a server refuses a longer one (http.max_initial_line_length). */
const LINE_BYTES_MAX = 4_096;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Answers as a cluster of one node with this number of indices. */
async function startNode(indices: number): Promise<{ url: string; marks: string[] }> {
  const marks: string[] = [];
  const names = Array.from({ length: indices }, (_, at) => `orders-2026.01.01-${at}`);
  const answers: readonly (readonly [RegExp, string])[] = [
    [/^GET \/_cluster\/health/, '{"number_of_nodes":1}'],
    [/^GET \/_cat\/indices/, `${names.join('\n')}\n`],
    [/^GET .*index\.blocks\.write/, '{ }\n'],
    [/^PUT .*_block/, '{"acknowledged":true,"shards_acknowledged":true}'],
    [/^POST .*_flush/, '{"_shards":{"failed":0}}'],
  ];
  const server = createServer((request, response) => {
    const line = `${request.method ?? ''} ${request.url ?? ''} HTTP/1.1`;
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      if (line.length > LINE_BYTES_MAX) {
        response.writeHead(400).end();
        return;
      }
      if (line.startsWith('PUT /_cluster/settings'))
        marks.push(/:("[^"]*"|null)}}/.exec(body)?.[1] ?? '');
      const mark = marks.at(-1) ?? 'null';
      const persistent = mark === 'null' ? '' : `"cluster.metadata.lifehook_blocked":${mark}`;
      const [, answer = `{"persistent":{${persistent}}}`] =
        answers.find(([of]) => of.test(line)) ?? [];
      response.end(answer);
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return { url: `http://127.0.0.1:${port}`, marks };
}

it('blocks and unblocks indices whose names fit into one request', async () => {
  const { url, marks } = await startNode(150);
  const actions = actionsOf('opensearch-write-block', { url });
  const opened = await openSession(accessWith({}), actions);
  expect(opened.result.outcome).toBe('Succeeded');
  expect(await opened.session?.thaw(60_000)).toMatchObject({ kind: 'thawed', exitCode: 0 });
  expect(marks).toHaveLength(2);
  expect(marks[1]).toBe('null');
});

it('blocks nothing if their names do not fit, since the thaw could never name them', async () => {
  const { url, marks } = await startNode(300);
  const access = accessWith({});
  const actions = actionsOf('opensearch-write-block', { url });
  const opened = await openSession(access, actions);
  expect(opened.result).toMatchObject({ outcome: 'Failed', exitCode: 4 });
  expect(opened.result.stdout.text).toContain('select fewer by the parameter indices');
  expect(marks).toEqual([]);
  expect(await exitCodeOf(access, actions.preAction.session?.thaw)).toBe(0);
});
