/** Mistakes about the machine and the command line: clusters, ports, rights, names and directories. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';

import type { Mistake, Prepared } from './mistake.ts';

const SKAFFOLD = `apiVersion: skaffold/v4beta13
kind: Config
profiles: [{ name: production }, { name: staging }]
`;

/** A kubeconfig with the context "kind" and the given server. */
const kubeconfig = (server: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'kind',
    contexts: [{ name: 'kind', context: { cluster: 'kind', user: 'me' } }],
    clusters: [{ name: 'kind', cluster: { server } }],
    users: [{ name: 'me', user: { token: 't' } }],
  });

const NOWHERE = { kubeconfig: kubeconfig('http://127.0.0.1:1') };

async function listening(server: Server): Promise<Prepared> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const PORT = String((server.address() as AddressInfo).port);
  return {
    values: { PORT },
    undo: () => {
      server.close();
    },
  };
}

const busyPort = (): Promise<Prepared> => listening(createServer());

/** An API server that authenticates the user but grants no right. */
async function noRights(folder: string): Promise<Prepared> {
  const server = createHttpServer((_request, response) => {
    const message =
      'applicationsnapshots.lifehook.dev is forbidden: User "me" cannot list resource';
    response.writeHead(403, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ kind: 'Status', code: 403, reason: 'Forbidden', message }));
  });
  const prepared = await listening(server);
  const url = `http://127.0.0.1:${prepared.values?.['PORT'] ?? ''}`;
  await writeFile(join(folder, 'kubeconfig'), kubeconfig(url));
  return prepared;
}

const folderValue = (FOLDER: string): Promise<Prepared> =>
  Promise.resolve({ values: { FOLDER }, undo: () => undefined });

export const commandLineMistakes: readonly Mistake[] = [
  {
    title: 'a kubeconfig that does not exist',
    command: ['snapshot', 'list', '--kubeconfig', 'kubeconfg'],
    exitCode: 1,
    code: 'LHK001',
    says: ['The kubeconfig kubeconfg does not exist.'],
    next: 'Correct the path',
  },
  {
    title: 'a context that the kubeconfig does not have',
    files: NOWHERE,
    command: ['rollout', 'status', 'web', '--kubeconfig', 'kubeconfig', '--context', 'knd'],
    exitCode: 1,
    code: 'LHK004',
    says: ['The context "knd" is not in kubeconfig'],
    next: 'Did you mean "kind"?',
  },
  {
    title: 'a kubeconfig that is no YAML',
    files: { kubeconfig: '{ a: [' },
    command: ['snapshot', 'list', '--kubeconfig', 'kubeconfig'],
    exitCode: 1,
    code: 'LHK003',
    at: 'kubeconfig:1:7',
    says: ['cannot be read'],
    next: 'Correct the YAML',
  },
  {
    title: 'a server that does not run',
    files: NOWHERE,
    command: ['rollout', 'status', 'web', '--kubeconfig', 'kubeconfig'],
    exitCode: 1,
    code: 'LHK011',
    says: ['did not answer', 'ECONNREFUSED'],
    next: 'check whether it runs',
  },
  {
    title: 'a user without rights',
    command: ['snapshot', 'list', '--kubeconfig', 'kubeconfig'],
    prepare: noRights,
    exitCode: 1,
    code: 'LHK010',
    says: ['User "me" cannot list resource'],
    next: 'ask for the permission',
  },
  {
    title: 'a busy port of the timeline',
    command: ['ui', '--no-cluster', '--no-open', '--port', '{PORT}'],
    prepare: busyPort,
    exitCode: 1,
    code: 'LHG016',
    says: ['Cannot listen on 127.0.0.1:{PORT} (--port)', 'another process holds the port'],
    next: "ss -ltnp 'sport = :{PORT}'",
  },
  {
    title: 'a busy port of the events of a pipeline',
    files: { 'skaffold.yaml': SKAFFOLD },
    command: ['render', '--http-port', '{PORT}'],
    prepare: busyPort,
    exitCode: 1,
    code: 'LHL605',
    says: ['port {PORT}', 'another program listens there'],
    next: 'Name a free port with --http-port',
  },
  {
    title: 'a busy port of the local cluster',
    command: ['up', '--state-dir', 'state', '--port', '{PORT}'],
    prepare: busyPort,
    exitCode: 1,
    code: 'LHA101',
    says: ['LHA107', '127.0.0.1:{PORT}', 'in use by another program'],
    next: 'choose another --port',
  },
  {
    title: 'an unknown profile',
    files: { 'skaffold.yaml': SKAFFOLD },
    command: ['render', '--profile', 'dev'],
    prepare: folderValue,
    exitCode: 1,
    code: 'LHL123',
    at: '{FOLDER}/skaffold.yaml:1:1',
    says: ['There is no profile "dev".'],
    next: 'The profiles are production, staging.',
  },
  {
    title: 'a misspelt profile',
    files: { 'skaffold.yaml': SKAFFOLD },
    command: ['render', '--profile', 'stagin'],
    prepare: folderValue,
    exitCode: 1,
    code: 'LHL123',
    at: '{FOLDER}/skaffold.yaml:1:1',
    says: ['There is no profile "stagin".'],
    next: 'Did you mean "staging"?',
  },
  {
    title: 'a state directory that the kernel cannot make',
    command: ['up', '--state-dir', '/proc/lifehook'],
    exitCode: 1,
    code: 'LHA106',
    says: ['/proc/lifehook, which cannot be written'],
    next: 'choose another one with --state-dir',
  },
  {
    title: 'a file in the place of the state directory',
    files: { state: '' },
    command: ['up', '--state-dir', 'state'],
    exitCode: 1,
    code: 'LHA106',
    says: ['EEXIST'],
    next: 'name a directory with --state-dir',
  },
  {
    title: 'the help of a command that does not exist',
    command: ['help', 'stauts'],
    exitCode: 2,
    code: 'LHG001',
    says: ["Unknown command 'stauts'", 'Did you mean status?'],
    next: 'see --help',
  },
  {
    title: 'a command that does not exist',
    command: ['snapshots'],
    exitCode: 2,
    code: 'LHG001',
    says: ["Unknown command 'snapshots'", 'Did you mean snapshot?'],
    next: 'see --help',
  },
  {
    title: 'a misspelt option',
    command: ['snapshot', 'list', '--namspace', 'shop'],
    exitCode: 2,
    code: 'LHG001',
    says: ["Unknown option '--namspace'", 'Did you mean --namespace?'],
    next: 'see --help',
  },
  {
    title: 'a form of output that does not exist',
    command: ['recipes', 'list', '-o', 'csv'],
    exitCode: 2,
    code: 'LHG001',
    says: ['text, json, yaml, name, wide'],
    next: 'see --help',
  },
  {
    title: 'records that do not exist',
    files: { 'records/.keep': '' },
    command: ['runs', 'list', '--no-cluster', '--records', 'recods'],
    prepare: folderValue,
    exitCode: 1,
    code: 'LHG015',
    says: ['--records, {FOLDER}/recods: it does not exist'],
    next: 'Did you mean {FOLDER}/records?',
  },
  {
    title: 'a project that does not exist',
    command: ['ui', '--no-cluster', '--export', 'out.html', '--project', 'shop'],
    prepare: folderValue,
    exitCode: 1,
    code: 'LHG015',
    says: ['--project, {FOLDER}/shop: it does not exist'],
    next: 'Correct the path',
  },
  {
    title: 'a file in the place of records',
    files: { records: '' },
    command: ['oci', 'records', '--spool', 'records'],
    exitCode: 1,
    code: 'LHG015',
    says: ['it is a file'],
    next: 'Correct the path',
  },
  {
    title: 'a recipe that does not exist',
    command: ['recipes', 'show', 'mariadb-lok'],
    exitCode: 1,
    code: 'LHS501',
    says: ['There is no recipe "mariadb-lok".'],
    next: 'Did you mean "mariadb-lock"?',
  },
];
