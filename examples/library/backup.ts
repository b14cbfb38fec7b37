// A freeze, a copy and a thaw. The thaw runs however the copy ends, and again after a crash.
// node backup.ts FOLDER
import { openLedger, runHooks } from 'lifehook';

const ledger = await openLedger(process.argv[2] ?? 'state');
try {
  const result = await runHooks(
    {
      title: 'backup of the shop',
      runId: 'backup-1',
      deadlineSeconds: 60,
      hooks: [
        { name: 'freeze', handler: { command: ['echo', 'frozen'] }, timeoutSeconds: 5 },
        {
          name: 'copy',
          handler: { command: ['sh', '-c', 'echo copying; exit 1'] },
          retry: { limit: 1, backoffSeconds: 0.1 },
        },
      ],
      cleanup: [{ name: 'thaw', undoes: 'freeze', handler: { command: ['echo', 'thawed'] } }],
    },
    {
      ledger,
      onEvent: (event) => {
        if (event.type === 'Output') process.stdout.write(`${event.step}: ${event.text}`);
      },
    },
  );
  for (const { name, attempts, result: last } of result.steps) {
    process.stdout.write(`${name}: ${last?.outcome ?? 'not begun'} after ${attempts}\n`);
  }
  process.stdout.write(`${result.outcome}: ${result.reason}\n`);
} finally {
  await ledger.close();
}
