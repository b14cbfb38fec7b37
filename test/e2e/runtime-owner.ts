/**
 * A node that starts containers until it is killed: `runtime-owner.ts SUPERVISOR STATE IMAGE PREFIX KIND`.
 *
 * It prints each id before and after the start. Some containers exit at once, some later, some never. Each appends its
 * name to a file in the image's directory when it starts, so that the test would notice a second start.
 */
import process from 'node:process';
import { openRuntime, specOf, worldOf, type Kind } from './runtime-stand.ts';

const [, , supervisor = '', stateFolder = '', rootPath = '', prefix = '', kind = ''] = process.argv;
const config = { entrypoint: [], command: [], env: {}, workingDir: null, user: null };
const image = { reference: 'test', id: 'sha256:test', rootPath, config };
const source = `${rootPath}/starts`;
const mounts = [{ name: 'starts', source, target: source, readOnly: false }];
const scripts = ['exit 7', 'sleep 0.2; echo late; exit 9', 'echo up; exec sleep 300'];

const world = worldOf(stateFolder, supervisor.split(' '));
const runtime = await openRuntime(JSON.parse(kind) as Kind, world);
for (let count = 0; ; count += 1) {
  const id = `${prefix}-${count}`;
  const script = `echo ${id} >> ${source}; ${scripts[count % scripts.length] ?? ''}`;
  process.stdout.write(`intend ${id}\n`);
  await runtime.start(specOf({ id, script, image }, { mounts }));
  process.stdout.write(`started ${id}\n`);
}
