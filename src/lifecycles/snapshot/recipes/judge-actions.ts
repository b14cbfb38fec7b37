/**
 * Refuses a command that takes the lock of a database session and exits at once: its exit code is 0, and nothing is
 * frozen (SNAP-R36).
 *
 * It recognises the lock also inside `sh -c`. It cannot read a script in the image: there only a probe shows the
 * problem.
 */
import {
  fieldOf,
  type FieldProblem,
  forbidden,
} from '../../../controller/definitions/field-problem.ts';
import type { HookAction, HookActions } from '../kinds.ts';

interface SessionLock {
  readonly words: RegExp;
  readonly what: string;
  readonly recipe: string;
}

const sessionLocks: readonly SessionLock[] = [
  {
    words: /\bflush\s+(local\s+|no_write_to_binlog\s+)?tables\b[^;]*\bwith\s+read\s+lock\b/i,
    what: 'FLUSH TABLES WITH READ LOCK',
    recipe: 'mariadb-lock (or mysql8)',
  },
  { words: /\block\s+tables?\b/i, what: 'LOCK TABLES', recipe: 'mariadb-lock (or mysql8)' },
  {
    words: /\block\s+instance\s+for\s+backup\b/i,
    what: 'LOCK INSTANCE FOR BACKUP',
    recipe: 'mysql8',
  },
  { words: /\bbackup\s+stage\b/i, what: 'BACKUP STAGE', recipe: 'mariadb-backup-stage' },
  {
    words: /\bpg_(backup_start|start_backup)\b/i,
    what: 'the backup mode of PostgreSQL',
    recipe: 'postgresql-backup',
  },
];

/**
 * The session stays open: in the background, as the proposal recommends (SNAP-R36), or by a command that the client
 * runs.
 */
const staysAlive = /(?<![&>])&(?![&>])|\bnohup\b|\bsetsid\b|(^|[;\n"'])\s*(system\s|\\!)/i;

/** Finds actions that take a lock and lose it at once. `field`: the path of the actions, "spec" in a hook. */
export function judgeActions(actions: HookActions, field: string = ''): FieldProblem[] {
  return (['preAction', 'postAction'] as const).flatMap((name) =>
    judgeAction(fieldOf(field, name), actions[name]),
  );
}

function judgeAction(field: string, action: HookAction = {}): FieldProblem[] {
  return [
    ...judgeCommand(`${field}.exec.command`, action.exec?.command),
    ...judgeCommand(`${field}.action.exec.command`, action.action?.exec?.command),
  ];
}

function judgeCommand(field: string, command: readonly string[] = []): FieldProblem[] {
  const text = command.join('\n');
  const lock = sessionLocks.find(({ words }) => words.test(text));
  if (lock === undefined || staysAlive.test(text)) return [];
  const detail = `${lock.what} ends with the session that began it, and the session of a command ends with the command: the command would succeed and protect nothing. Use the recipe ${lock.recipe}, or a session with a client`;
  return [forbidden(field, detail)];
}
