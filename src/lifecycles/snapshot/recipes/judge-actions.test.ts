import { describe, expect, it } from 'vitest';

import { fieldProblemMessage } from '../../../controller/definitions/field-problem.ts';
import { judgeActions } from './judge-actions.ts';

const exec = (...command: string[]) => ({ preAction: { exec: { command } } });

describe('judgeActions', () => {
  it.each([
    [['mysql', '-e', 'FLUSH TABLES WITH READ LOCK'], 'mariadb-lock'],
    [['sh', '-c', 'mariadb -uroot -p"$P" -e "flush  tables\n with read lock;"'], 'mariadb-lock'],
    [['mysql', '-e', 'FLUSH TABLES a, b WITH READ LOCK; SELECT 1'], 'mariadb-lock'],
    [['mysql', '-e', 'LOCK TABLES t READ'], 'mariadb-lock'],
    [['mysql', '-e', 'LOCK INSTANCE FOR BACKUP'], 'mysql8'],
    [['mariadb', '-e', 'BACKUP STAGE START'], 'mariadb-backup-stage'],
    [['psql', '-c', "SELECT pg_backup_start('x')"], 'postgresql-backup'],
    [
      ['sh', '-c', 'psql -c "select pg_start_backup(\'x\', true)" 2>&1 && touch /done'],
      'postgresql-backup',
    ],
  ])('refuses %j, which protects nothing, and names the recipe', (command, recipe) => {
    const [problem, ...more] = judgeActions(exec(...command), 'spec');
    expect(more).toEqual([]);
    expect(problem?.field).toBe('spec.preAction.exec.command');
    expect(problem?.detail).toContain(`Use the recipe ${recipe}`);
  });

  it.each([
    [['run_quiesce.sh']],
    [['mysql', '-e', 'FLUSH TABLES']],
    [['mysql', '-e', 'SET GLOBAL read_only = 1']],
    [['sh', '-c', 'mysql -e "FLUSH TABLES WITH READ LOCK; SELECT SLEEP(30)" >/dev/null 2>&1 &']],
    [['mysql', '-e', 'FLUSH TABLES WITH READ LOCK; system fsfreeze -f /data; UNLOCK TABLES']],
    [['psql', '-c', 'CHECKPOINT']],
  ])('allows %j', (command) => {
    expect(judgeActions(exec(...command))).toEqual([]);
  });

  it('refuses the alternative spelling of an action too, and allows a session', () => {
    const command = ['mysql', '-e', 'FLUSH TABLES WITH READ LOCK'];
    const [problem] = judgeActions({ preAction: { action: { exec: { command } } } });
    expect(problem === undefined ? '' : fieldProblemMessage(problem)).toBe(
      'preAction.action.exec.command: Forbidden: FLUSH TABLES WITH READ LOCK ends with the session that began it, and the session of a command ends with the command: the command would succeed and protect nothing. Use the recipe mariadb-lock (or mysql8), or a session with a client',
    );
    const session = {
      client: ['mysql'],
      freeze: ['FLUSH TABLES WITH READ LOCK;'],
      thaw: ['UNLOCK TABLES;'],
    };
    expect(judgeActions({ preAction: { session } })).toEqual([]);
  });
});
