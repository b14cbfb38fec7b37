/** Judges a session at its end, and the records of all sessions. */
import type { RunRecord } from '../../../src/model/attempt.ts';
import { decodeJournal } from '../../../src/store/journal-line.ts';
import { type Account, endedWell, phaseOf, type Session, STATE } from './account.ts';
import { isCleanup, nameOf } from './judge-hook.ts';

/** PIPE-R2: call when the process of a session has exited by itself. */
export function judgeSession(account: Account, session: Session): void {
  const { folder, exitCode, refusedMs, n, process } = session;
  if (folder === null || refusedMs !== null) return;
  const records = recordsOf(account, session);
  const settled = new Set(
    records.filter(({ type }) => type === 'RunSettled').map(({ runId }) => runId),
  );
  for (const { type, runId } of records) {
    const isOpen = type === 'RunOpened' && !settled.has(runId);
    account.require(!isOpen, 'PIPE-R2', () => `session ${n} has ended, and ${runId} has no end`);
  }
  if (process.failures > 0) return;
  const text = account.host.tree.visible(`${folder}/session.json`);
  const recorded = (JSON.parse(text) as { exitCode?: number }).exitCode;
  account.require(recorded === exitCode, 'PIPE-R2', () => {
    return `session ${n} has ended with ${exitCode}, and is recorded with ${recorded}`;
  });
}

/** Text and parsed records of a session's journal when it was last read. */
const read = new WeakMap<Session, { readonly text: string; readonly records: RunRecord[] }>();

function recordsOf({ host }: Account, session: Session): readonly RunRecord[] {
  const path = `${session.folder}/journal/journal.jsonl`;
  const text = host.tree.visible(path);
  const known = read.get(session);
  if (known?.text === text) return known.records;
  const records = decodeJournal(text, path) as RunRecord[];
  read.set(session, { text, records });
  return records;
}

/** PIPE-P9, PIPE-L1: call when the timeouts of all cleanup hooks are over. */
export function judgeOver({ world }: Account, { n, process, hooks }: Session): void {
  if (!process.alive) return;
  const late = hooks.find(
    ({ endedMs, address }) => endedMs === null && isCleanup(phaseOf(address)),
  );
  if (late === undefined) world.violate('PIPE-L1', `session ${n} does not end`);
  else world.violate('PIPE-P9', `${nameOf({ n }, late)} runs on without a deadline`);
}

/** PIPE-R1, PIPE-R3: may be called at any moment. */
export function judgeRecords(account: Account): void {
  for (const session of account.sessions) {
    try {
      judgeOne(account, session);
    } catch (error) {
      account.world.violate('PIPE-R1', `the record of session ${session.n}: ${String(error)}`);
    }
  }
}

function judgeOne(account: Account, session: Session): void {
  const { folder, n, process, hooks } = session;
  if (folder === null) return;
  const isThere = account.host.tree.find(folder) !== undefined;
  account.require(
    isThere || !process.alive,
    'PIPE-R3',
    () => `the record of session ${n} is removed`,
  );
  const text = account.host.tree.visible(`${folder}/session.json`);
  if (text !== '') JSON.parse(text);
  for (const record of recordsOf(account, session)) {
    if (record.type !== 'RunSettled' || record.outcome !== 'Succeeded') continue;
    const last = hooks.findLast(({ runId }) => runId === record.runId);
    const isTrue = last !== undefined && endedWell(session, last);
    account.require(
      isTrue,
      'PIPE-R1',
      () => `${record.runId} of session ${n} is recorded as succeeded`,
    );
  }
}

/** PIPE-R1: each event is a line of JSON. Only the last line of a killed process may be incomplete. */
export function judgeEvents(account: Account): void {
  if (account.powerLost) return;
  for (const { folder, n, process } of account.sessions) {
    const lines = account.host.tree.visible(`${folder}/events.ndjson`).split('\n').slice(0, -1);
    for (const line of lines) {
      const isWhole = isJson(line) || process.failures > 0;
      account.require(isWhole, 'PIPE-R1', () => `an event of session ${n} is ${line.slice(0, 80)}`);
    }
  }
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

export const isSessionPath = (path: string): boolean => path.startsWith(`${STATE}/sessions/`);
