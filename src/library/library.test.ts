import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Consumer, layConsumer } from '../../test/library/consumer.ts';

const EXAMPLES = ['backup', 'records', 'match', 'recipes'];

let consumer: Consumer | undefined;
beforeAll(async () => {
  consumer = await layConsumer();
});
afterAll(() => {
  consumer?.remove();
});

const installed = (): Consumer => {
  if (consumer === undefined) throw new Error('it is not installed');
  return consumer;
};
const example = (name: string, ...args: string[]): Promise<string> =>
  installed().run(`examples/library/${name}.ts`, args);

describe('the package', () => {
  it('has types that accept the examples, and reject a wrong call', () => {
    const names = EXAMPLES.map((name) => [`${name}.ts`, `examples/library/${name}.ts`]);
    const files = [...names, ['types.ts', 'test/library/types.ts']];
    const programs = files.map(([name = '', path = '']) => [name, readFileSync(path, 'utf8')]);
    const wrong = `import { runHooks } from 'lifehook';\nawait runHooks({ hooks: [] });\n`;
    const found = installed().typeProblems({
      ...(Object.fromEntries(programs) as Record<string, string>),
      'wrong.ts': wrong,
    });
    expect(found).toMatch(/^wrong\.ts\(2,16\): error TS2741: Property 'title' is missing[^\n]*\n$/);
  });

  it('runs a plan to its cleanup, records it, and replays the record without running it again', async () => {
    const reported = await example('backup', 'state');
    expect(reported).toBe(
      `freeze: frozen
copy: copying
copy: copying
thaw: thawed
freeze: Succeeded after 1
copy: Failed after 2
thaw: Succeeded after 1
Failed: Attempt 2 of copy failed: The command exited with code 1.
`,
    );
    const again = await example('backup', 'state');
    expect(reported.endsWith(again)).toBe(true);
    expect(again).not.toContain('copying');
    expect(await example('records', 'state')).toContain(`backup of the shop: Failed
  RunOpened
  freeze 1 begins
  freeze 1: Succeeded
  copy 1 begins
`);
  });

  it('matches hook files of a hooks directory', async () => {
    const hooks = join(installed().folder, 'hooks.d');
    mkdirSync(hooks, { mode: 0o755 });
    const hook = { path: '/bin/true' };
    const when = { annotations: { '^com\\.example\\.tier$': '^web$' } };
    const file = { version: '1.0.0', hook, when, stages: ['poststop'] };
    writeFileSync(join(hooks, '10-web.json'), JSON.stringify(file), { mode: 0o644 });
    const other = { ...file, when: { commands: ['^/other$'] } };
    writeFileSync(join(hooks, '20-other.json'), JSON.stringify(other), { mode: 0o644 });
    expect(await example('match', 'hooks.d')).toBe(
      'poststop: /bin/true\n10-web.json is active\n20-other.json is active\n',
    );
  });

  it('exports the recipes', async () => {
    expect(await example('recipes')).toMatch(
      /^true\napiVersion kind metadata preAction.*\nLHS501\n$/,
    );
  });
});
