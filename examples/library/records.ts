// Prints the content of a ledger: the runs, newest first, and the records of each.
// node records.ts FOLDER
import { openLedger, type RunRecord } from 'lifehook';

const ledger = await openLedger(process.argv[2] ?? 'state');
for (const { runId, title, settled } of ledger.runs({ limit: 10 })) {
  process.stdout.write(`${title}: ${settled?.outcome ?? 'under way'}\n`);
  for (const record of await ledger.read(runId)) process.stdout.write(`  ${lineOf(record)}\n`);
}
await ledger.close();

function lineOf(record: RunRecord): string {
  if (record.type === 'AttemptStarted') return `${record.step} ${record.attempt} begins`;
  if (record.type !== 'AttemptSettled') return record.type;
  return `${record.step} ${record.attempt}: ${record.result.outcome}`;
}
