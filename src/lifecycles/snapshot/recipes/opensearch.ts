/** The recipe for OpenSearch and Elasticsearch, which uses their HTTP API. */
import type { Recipe, RecipeParameter } from './recipe.ts';
import { passwordParameter, secretFunction, shellCommand } from './shell-command.ts';

const opensearchParameters: readonly RecipeParameter[] = [
  {
    name: 'url',
    description: 'URL of the HTTP API, as the container reaches it',
    defaultValue: 'http://127.0.0.1:9200',
    pattern: /^https?:\/\/[\w.:[\]-]+$/,
  },
  { name: 'user', description: 'user for the login; empty: no login', defaultValue: '' },
  passwordParameter('the variables of the official images'),
  {
    name: 'caFile',
    description:
      'path of the CA certificate for the server; empty: the CA certificates of the image',
    defaultValue: '',
  },
  {
    name: 'indices',
    description: 'the indices to block, in the syntax of the API: "shop-*,-shop-old"',
    defaultValue: '*',
    pattern: /^[\w.*,+-]{1,200}$/,
  },
];

/**
 * The vendors support no copy of the data directories, since those of several nodes are never of one moment. One node
 * with one volume recovers from a snapshot of it as it does from a power failure. The write block is stored in the
 * cluster's state, so it outlives the container.
 */
export const opensearchWriteBlock: Recipe = {
  name: 'opensearch-write-block',
  application: 'OpenSearch, Elasticsearch 7.9 and later; one node',
  summary:
    'Blocks writes by index.blocks.write, and flushes. The vendors support no copy of the files: prefer their snapshots.',
  lockClass: 'flag',
  lockScope: 'Kernel',
  tested: true,
  parameters: opensearchParameters,
  needs: {
    programs: ['sh', 'curl', 'sed'],
    privileges: [
      'the cluster has one node, and all its data are on the volume of the snapshot',
      'the user has the cluster privileges monitor and manage, and manage on the indices',
    ],
  },
  maxFreezeSeconds: 300,
  exitCodes: {
    2: 'the probe could not reach the server',
    4: 'the cluster is not in the state that this recipe needs: the output says which',
    7: 'the server was not reached',
    22: 'the server answered with an error: the output has its status',
    127: 'the image has no "curl"',
  },
  priorState:
    'the cluster setting cluster.metadata.lifehook_blocked names the indices that the freeze blocked; indices that were blocked before stay blocked',
  actions: (parameters) => ({
    preAction: {
      session: {
        freeze: opensearchCommand(parameters, BLOCK),
        thaw: opensearchCommand(parameters, UNBLOCK),
      },
      actionTimeoutSeconds: 60,
    },
    probe: { command: opensearchCommand(parameters, ARE_BLOCKED), timeoutSeconds: 10 },
    expirationSeconds: 120,
  }),
};

/** `ask METHOD PATH [BODY]` sends a request. curl gets the password on its standard input. */
const FUNCTIONS = `${secretFunction}
url=$1 user=$2 variable=$3 authority=$4 indices=$5
password=$(secret $variable OPENSEARCH_INITIAL_ADMIN_PASSWORD ELASTIC_PASSWORD)
login() { [ -z "$user" ] || printf 'user = "%s"\\n' "$(printf %s "$user:$password" | sed 's/[\\\\"]/\\\\&/g')"; }
ask() {
  login | curl -q --silent --show-error --fail --globoff --config - \${authority:+--cacert "$authority"} \\
    --request "$1" --header 'Content-Type: application/json' \${3:+--data "$3"} "$url$2"
}
mark=cluster.metadata.lifehook_blocked
marked() {
  persistent=$(ask GET '/_cluster/settings?flat_settings=true') || return
  printf '%s\\n' "$persistent" | sed -n "s/.*\\"$mark\\":\\"\\([^\\"]*\\)\\".*/\\1/p"
}
all() { ask GET "/_cat/indices/$indices?h=index&expand_wildcards=open,hidden"; }
blocked() {
  settings=$(ask GET "/$indices/_settings/index.blocks.write?flat_settings=true&pretty&expand_wildcards=open,hidden") || return
  printf '%s\\n' "$settings" | sed -n -e '/^  "/{s/^  "\\(.*\\)" : {$/\\1/;h;}' -e '/"index.blocks.write" : "true"/{g;p;}'
}
unblocked() {
  every=$(all) || return
  those=$(blocked) || return
  for each in $every; do
    case "
$those
" in *"
$each
"*) ;; *) printf '%s\\n' "$each" ;; esac
  done
}
`;

function opensearchCommand(parameters: Readonly<Record<string, string>>, script: string): string[] {
  const { url = '', user = '', passwordVariable = '', caFile = '', indices = '' } = parameters;
  return shellCommand(`${FUNCTIONS}${script}`, url, user, passwordVariable, caFile, indices);
}

/** A server refuses a request line of more than 4096 bytes (http.max_initial_line_length). The rest is for the path. */
const NAMES_MAX = 3_800;

/**
 * Stores the names of the indices in the cluster's settings before it blocks them. So every thaw knows them, even in a
 * container that was started again. The block waits for writes that have begun.
 */
const BLOCK = `set -e
echo not-ours
fail() { printf '%s\\n' "$1" >&2; exit 4; }
health=$(ask GET '/_cluster/health?filter_path=number_of_nodes')
[ "$health" = '{"number_of_nodes":1}' ] || fail "the volumes of several nodes are not cut at one moment, $health: use the snapshot API"
old=$(marked)
[ -z "$old" ] || fail "another freeze blocks $old; in a restored copy, remove index.blocks.write of them and the cluster setting $mark"
mine=$(unblocked)
mine=$(set -- $mine; IFS=,; printf %s "$*")
[ -n "$mine" ] || fail "no index of $indices is open for writes"
[ "\${#mine}" -le ${NAMES_MAX} ] || fail "the names of the indices have \${#mine} characters, and one request has space for ${NAMES_MAX}: select fewer by the parameter indices"
echo ours
ask PUT /_cluster/settings "{\\"persistent\\":{\\"$mark\\":\\"$mine\\"}}" >/dev/null
said=$(ask PUT "/$mine/_block/write")
case $said in *'"acknowledged":true,"shards_acknowledged":true'*) ;; *) fail "$said" ;; esac
said=$(ask POST "/$mine/_flush")
case $said in *'"failed":0}'*) ;; *) fail "$said" ;; esac
`;

/** Ignores an index that was deleted meanwhile: it has no block. */
const UNBLOCK = `set -e
[ "\${LIFEHOOK_PRIOR-}" != not-ours ] || exit 0
mine=$(marked)
[ -n "$mine" ] || exit 0
ask PUT "/$mine/_settings?ignore_unavailable=true" '{"index.blocks.write":null}' >/dev/null
ask PUT /_cluster/settings "{\\"persistent\\":{\\"$mark\\":null}}" >/dev/null
`;

/** An index that was created during the freeze counts too: it is not frozen. */
const ARE_BLOCKED = `left=$(unblocked) && old=$(marked) || exit 2
[ -n "$old" ] && [ -z "$left" ]
`;
