import {
  postgresqlCommand,
  postgresqlExitCodes,
  postgresqlParameters,
} from './postgresql-client.ts';
import type { Recipe } from './recipe.ts';

const IN_BACKUP = 'lifehook: in backup';

/**
 * For data, WAL and tablespaces on several volumes, which are not cut at one moment. The server ends the backup mode
 * when the session that started it ends. Writes continue. A complete copy needs the WAL up to the stop, and the label
 * that the stop prints; the label must be put into the restored data directory.
 */
export const postgresqlBackup: Recipe = {
  name: 'postgresql-backup',
  application: 'PostgreSQL on several volumes',
  summary: 'Holds the backup mode in one session; the thaw prints backup_label and tablespace_map.',
  lockClass: 'session',
  lockScope: 'Process',
  tested: true,
  parameters: postgresqlParameters,
  needs: {
    programs: ['sh', 'psql of version 10 or later'],
    privileges: [
      'the user is a superuser, or may execute pg_backup_start and pg_backup_stop',
      'the WAL written between start and stop is archived, or kept by a replication slot, or is on a volume that is cut last',
    ],
  },
  maxFreezeSeconds: null,
  exitCodes: postgresqlExitCodes,
  priorState: null,
  actions: (parameters) => ({
    preAction: {
      session: {
        client: postgresqlCommand(parameters),
        freeze,
        ready: 'lifehook: frozen',
        thaw,
      },
      actionTimeoutSeconds: 120,
    },
    probe: {
      command: postgresqlCommand(parameters, '--command', isInBackup),
      timeoutSeconds: 10,
    },
    expirationSeconds: 600,
  }),
};

/**
 * `fast`: otherwise the start waits minutes for the next checkpoint. Timeouts are off, since they would end the
 * session.
 */
const freeze = [
  "SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN ('idle_session_timeout', 'statement_timeout');",
  "SELECT current_setting('server_version_num')::int >= 150000 AS modern \\gset",
  '\\if :modern',
  "SELECT pg_backup_start('lifehook', fast => true);",
  '\\else',
  "SELECT pg_start_backup('lifehook', true, false);",
  '\\endif',
  `SET application_name = '${IN_BACKUP}';`,
  '\\echo lifehook: frozen',
];

const thaw = [
  '\\if :modern',
  'SELECT labelfile, spcmapfile FROM pg_backup_stop(wait_for_archive => false) \\gset',
  '\\else',
  'SELECT labelfile, spcmapfile FROM pg_stop_backup(false, false) \\gset',
  '\\endif',
  '\\echo lifehook: backup_label',
  '\\echo :labelfile',
  '\\echo lifehook: tablespace_map',
  '\\echo :spcmapfile',
];

/** The server does not expose the backup mode, but the session exists exactly as long. */
const isInBackup = `DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = '${IN_BACKUP}') THEN RAISE 'no session is in backup mode'; END IF; END $$`;
