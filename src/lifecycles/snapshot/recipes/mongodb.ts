import {
  checkCommand,
  checkDefaults,
  directoryParameter,
  serverPrivileges,
} from './checks/check-shell.ts';
import type { Recipe, RecipeVerify } from './recipe.ts';
import { secretFunction, shellCommand, variablePattern } from './shell-command.ts';

/** Starts mongod without authentication. It listens only on the pod's loopback address, which no other pod reaches. */
const mongodbCheck: RecipeVerify = {
  ...checkDefaults,
  summary: 'Starts mongod with the copy, which recovers it, then validates every collection.',
  tested: false,
  parameters: [directoryParameter],
  needs: {
    programs: ['sh', 'mongod', 'mongosh', 'stat', 'mktemp', 'tail'],
    privileges: serverPrivileges,
  },
  command: (parameters, path) => checkCommand({ script: CHECK, path, parameters }),
};

const CHECK = `need mongod mongosh
[ -f "$copy/WiredTiger" ] || broken "the copy has no data directory of MongoDB: $copy"
ask() { mongosh --quiet --norc "mongodb://127.0.0.1:27917/?directConnection=true" --eval "$1"; }
answers() { ask 'db.runCommand({ ping: 1 })'; }
serve mongod --dbpath "$copy" --bind_ip 127.0.0.1 --port 27917 --unixSocketPrefix "$work"
ask "
  for (const { name } of db.adminCommand({ listDatabases: 1 }).databases) {
    const each = db.getSiblingDB(name);
    for (const { name: collection, type } of each.getCollectionInfos()) {
      if (type !== 'collection') continue;
      const said = each.runCommand({ validate: collection });
      if (said.ok !== 1 || said.valid !== true) { print(name, collection, EJSON.stringify(said.errors ?? said)); quit(1); }
    }
  }" || broken 'not every collection is valid'
`;

/** The lock is server-wide, counted, and outlives its connection: it is taken once and released once. */
export const mongodb: Recipe = {
  name: 'mongodb',
  application: 'MongoDB',
  summary: 'Locks writes with db.fsyncLock(), and releases that one lock with db.fsyncUnlock().',
  lockClass: 'counted',
  lockScope: 'Process',
  tested: false,
  untestedReason:
    'Debian, Maven, PyPI and npm have no mongod: their packages for it download it from its vendor',
  parameters: [
    { name: 'user', description: 'user for the login; empty: no login', defaultValue: '' },
    {
      name: 'passwordVariable',
      description: 'name of the variable of the container that holds the password',
      defaultValue: 'MONGO_INITDB_ROOT_PASSWORD',
      pattern: variablePattern,
    },
  ],
  needs: {
    programs: ['sh', 'mongosh'],
    privileges: [
      'the user has fsync and unlock (hostManager)',
      'a hidden secondary is the best member to freeze',
    ],
  },
  maxFreezeSeconds: 60,
  exitCodes: { 1: 'mongosh or the server failed: the output says how' },
  priorState: 'a lock of another client makes the freeze fail, and the thaw does not release it',
  verify: mongodbCheck,
  actions: (parameters) => ({
    preAction: {
      session: { freeze: mongoCommand(parameters, FREEZE), thaw: mongoCommand(parameters, THAW) },
    },
    probe: { command: mongoCommand(parameters, PROBE), timeoutSeconds: 10 },
    expirationSeconds: 60,
  }),
};

const SHELL = `${secretFunction}
user=$1 variable=$2
export LIFEHOOK_USER="$user" LIFEHOOK_PASSWORD="$(secret $variable)"
exec mongosh --quiet --norc --eval "$3"
`;

/** Logs in within the script, so that no argument contains a password. */
const COMMON = `const { LIFEHOOK_USER: user, LIFEHOOK_PASSWORD: password, LIFEHOOK_PRIOR: prior } = process.env;
const admin = db.getSiblingDB('admin');
if (user) admin.auth(user, password);
const frozen = admin.runCommand({ currentOp: 1 }).fsyncLock === true;
`;

const FREEZE = `${COMMON}
if (frozen) { print('taken'); throw new Error('it is locked by another client'); }
print('ours');
const told = admin.fsyncLock();
if (told.ok !== 1) throw new Error(EJSON.stringify(told));
`;

const THAW = `${COMMON}
if (prior !== 'taken' && frozen) {
  const told = admin.fsyncUnlock();
  if (told.ok !== 1) throw new Error(EJSON.stringify(told));
}
`;

const PROBE = `${COMMON}
quit(frozen ? 0 : 1);
`;

function mongoCommand(
  { user = '', passwordVariable = '' }: Readonly<Record<string, string>>,
  script: string,
): string[] {
  return shellCommand(SHELL, user, passwordVariable, script);
}
