import type { RecipeVerify } from '../recipe.ts';
import {
  checkCommand,
  checkDefaults,
  directoryParameter,
  serverPrivileges,
} from './check-shell.ts';

/** The server listens on the loopback address of the pod, without authentication, which nothing else reaches. */
export const mongodbCheck: RecipeVerify = {
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
