// Lists the hooks that a container would get from a hooks.d directory.
// node match.ts FOLDER
import { resolve } from 'node:path';
import { matchHooks } from 'lifehook';

const { stages, files, problems } = await matchHooks([resolve(process.argv[2] ?? 'hooks.d')], {
  annotations: { 'com.example.tier': 'web' },
  args: ['/usr/bin/serve'],
});
for (const [stage, hooks] of Object.entries(stages)) {
  process.stdout.write(`${stage}: ${hooks.map(({ path }) => path).join(', ')}\n`);
}
for (const { path, state } of files)
  process.stdout.write(`${path.split('/').at(-1) ?? path} is ${state}\n`);
for (const { severity, message, next } of problems)
  process.stdout.write(`${severity}: ${message} ${next}\n`);
