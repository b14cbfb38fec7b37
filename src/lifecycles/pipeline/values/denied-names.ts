/**
 * Lists the variables that a hook must never set for later hooks: those of the contract, and those that decide which
 * program runs, which code it loads, where its configuration is and to which servers it connects. Patterns cover a
 * tool's future variables too. Names are compared case-insensitively, as on Windows. Pure.
 */
import { CONTRACT_NAMES } from '../hooks/contract.ts';

/** The names of each rule, by its purpose; "*" matches any characters. `docs/pipeline.md` has the same list. */
export const DENIED: Readonly<Record<string, readonly string[]>> = {
  'shells, and where programs are found': [
    'PATH',
    'PATHEXT',
    'COMSPEC',
    'SHELL',
    'ENV',
    'BASH_ENV',
    'BASHOPTS',
    'SHELLOPTS',
    'ZDOTDIR',
    'CDPATH',
    'IFS',
    'PS4',
    'PROMPT_COMMAND',
    'BASH_FUNC_*',
  ],
  'the loader, and libraries': [
    'LD_*',
    'DYLD_*',
    '*_PRELOAD',
    'GCONV_PATH',
    'LOCPATH',
    'OPENSSL_*',
    'GLIBC_TUNABLES',
  ],
  'homes and configuration files': [
    'HOME',
    'USERPROFILE',
    'APPDATA',
    'LOCALAPPDATA',
    'XDG_*',
    '*_CONFIG_FILE',
    '*_CREDENTIALS_FILE',
    'NETRC',
  ],
  'clusters and container engines': [
    'KUBECONFIG',
    'KUBERC',
    'KUBE_CONFIG_*',
    'KUBECTL_*',
    'KUBERNETES_*',
    'HELM_BIN',
    'HELM_PLUGINS',
    'HELM_*_HOME',
    'HELM_KUBE*',
    'HELM_DRIVER*',
    'HELM_REGISTRY_*',
    'HELM_REPOSITORY_*',
    'KUSTOMIZE_*',
    'DOCKER_HOST',
    'DOCKER_CONFIG',
    'DOCKER_CONTEXT',
    'DOCKER_CERT_PATH',
    'DOCKER_TLS*',
    'DOCKER_CLI_*',
    'DOCKER_API_VERSION',
    'DOCKER_AUTH_*',
    'DOCKER_CUSTOM_HEADERS',
    'DOCKER_CONTENT_TRUST*',
    'BUILDX_*',
    'BUILDKIT_*',
    'BUILDAH_*',
    'CONTAINER_HOST',
    'CONTAINER_CONNECTION',
    'CONTAINER_SSHKEY',
    'CONTAINERS_*',
    'REGISTRY_AUTH_FILE',
    'STORAGE_DRIVER',
    'STORAGE_OPTS',
    'KO_*',
    'CLOUDSDK_*',
    'GOOGLE_EXTERNAL_ACCOUNT_*',
    'AWS_ENDPOINT_URL*',
    'MINIKUBE_*',
  ],
  'proxies, and which certificates are trusted': [
    '*_PROXY',
    'SSL_CERT_*',
    '*_CA_BUNDLE',
    'NODE_EXTRA_CA_CERTS',
    'NODE_TLS_REJECT_UNAUTHORIZED',
    'CURL_HOME',
    'WGETRC',
    'HOSTALIASES',
    'RES_OPTIONS',
    'LOCALDOMAIN',
  ],
  'programs that another program starts': [
    '*_EXTERNAL_DIFF',
    'EDITOR',
    '*_EDITOR',
    'VISUAL',
    'PAGER',
    '*_PAGER',
    '*_ASKPASS',
    '*_RSH',
    '*_WRAPPER',
    'BROWSER',
    'LESSOPEN',
    'LESSCLOSE',
    'GIT_*',
    'SSH_*',
    'CC',
    'CXX',
    'LD',
    'AR',
    'CPP',
    'FC',
    'MAKE',
    'MAKEFILES',
    'MAKEFLAGS',
    'MFLAGS',
    'GNUMAKEFLAGS',
    'TAR_OPTIONS',
    'RSYNC_CONNECT_PROG',
    'GNUPGHOME',
    'CCACHE_*',
    'SCCACHE_*',
  ],
  'package managers, compilers and interpreters': [
    'NPM_CONFIG_*',
    'YARN_*',
    'PNPM_*',
    'COREPACK_*',
    'NODE_OPTIONS',
    'NODE_PATH',
    'NODE_REPL_EXTERNAL_MODULE',
    'TS_NODE_*',
    'BUN_*',
    'DENO_*',
    'PYTHON*',
    'PIP_*',
    'UV_*',
    'POETRY_*',
    'PERL5*',
    'PERLLIB',
    'RUBYOPT',
    'RUBYLIB',
    'GEM_*',
    'BUNDLE_*',
    'JAVA_HOME',
    'JAVA_TOOL_OPTIONS',
    '_JAVA_OPTIONS',
    'JAVA_OPTS',
    'ANT_*',
    'SBT_OPTS',
    'JDK_JAVA_OPTIONS',
    'MAVEN_OPTS',
    'MAVEN_ARGS',
    'MAVEN_CONFIG',
    'MAVEN_HOME',
    'M2_HOME',
    'MVNW_*',
    'BAZELISK_*',
    'USE_BAZEL_VERSION',
    'GRADLE_OPTS',
    'GRADLE_*HOME',
    'CLASSPATH',
    'GOENV',
    'GOAUTH',
    'GOCACHEPROG',
    'GOFLAGS',
    'GONOPROXY',
    'GOVCS',
    'GOPROXY',
    'GOSUMDB',
    'GONOSUMDB',
    'GONOSUMCHECK',
    'GOINSECURE',
    'GOPRIVATE',
    'GOPATH',
    'GOROOT',
    'GOBIN',
    'GOTOOLCHAIN',
    'GOTOOLDIR',
    'GOWORK',
    'CGO_*',
    'CFLAGS',
    'CPPFLAGS',
    'CXXFLAGS',
    'LDFLAGS',
    'GCC_EXEC_PREFIX',
    'COMPILER_PATH',
    'CMAKE_*',
    'PKG_CONFIG*',
    'CARGO_*',
    'RUSTC',
    'RUSTC_*',
    'RUSTDOC',
    'RUSTFLAGS',
    'RUSTUP_*',
    'DOTNET_*',
    'NUGET_*',
    'PHPRC',
    'PHP_INI_SCAN_DIR',
    'COMPOSER_*',
    'LUA_PATH*',
    'LUA_CPATH*',
    'LUA_INIT*',
    'TF_CLI_*',
  ],
  'Lifehook and the contract': ['LIFEHOOK_*', 'SKAFFOLD_*'],
};

const RULES: RegExp = new RegExp(
  `^(?:${Object.values(DENIED)
    .flat()
    .map((rule) => rule.replaceAll('*', '.*'))
    .join('|')})$`,
  'u',
);
const CONTRACT: ReadonlySet<string> = new Set(CONTRACT_NAMES);

export function isDeniedName(name: string): boolean {
  const upper = name.toUpperCase();
  return RULES.test(upper) || CONTRACT.has(upper);
}

/** Names that shells and templates accept. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,255}$/;

/** Maximum UTF-8 bytes of a value: even with its name it stays below Linux' limit for starting a program. */
export const MAX_VALUE_BYTES = 120_000;

/** The reason why a value is refused, as a sentence without its full stop; null: it is accepted. */
export function wrongInValue(name: string, value: string): string | null {
  if (!NAME.test(name)) {
    const shown = JSON.stringify(name.slice(0, 80));
    return `a name has at most 256 letters, digits and "_", and no digit first; ${shown} is not one`;
  }
  if (isDeniedName(name))
    return `${name} must not be set by a hook, since it would change how later programs run`;
  if (value.includes('\0'))
    return `the value of ${name} contains a NUL character, which no variable can contain`;
  const bytes = new TextEncoder().encode(value).length;
  return bytes > MAX_VALUE_BYTES
    ? `the value of ${name} has ${bytes} bytes, but at most ${MAX_VALUE_BYTES} are allowed`
    : null;
}
