/**
 * Hook directories and containers for the comparison with podman.
 * Both must accept each file, since a single bad one makes podman refuse to start anything. Each file names its own
 * program, so the injected hook shows its file.
 */
import * as fc from 'fast-check';

export interface Scenario {
  /** In order of increasing precedence. Each directory maps a file name to the file's content. */
  readonly folders: readonly ReadonlyMap<string, string>[];
  readonly annotations: Readonly<Record<string, string | undefined>>;
  readonly command: readonly string[];
  readonly bindMount: boolean;
}

const SEED = 20_240_829;
const FILES_PER_FOLDER = { minLength: 5, maxLength: 12 };

/** Returns the same scenarios in every run. `programOf` creates the program that file number n names. */
export function scenarios(count: number, programOf: (n: number) => string): Scenario[] {
  let files = 0;
  const drafts = fc.sample(scenario, { numRuns: count, seed: SEED });
  return drafts.map(({ folders, ...rest }) => ({
    ...rest,
    folders: folders.map(
      (folder) =>
        new Map(
          folder.map(({ name, write }) => {
            files += 1;
            return [`${name}.json`, write(programOf(files))];
          }),
        ),
    ),
  }));
}

/** No two names differ only in case, because podman does not define the order of such names. */
const NAMES =
  '10 2 _ a B c-hook 01-UPPER 01-my 02-another .dot zZ \u{FFE0} \u{1F600} \u00c4 \u00b5 x.json d e f g h'.split(
    ' ',
  );
const STAGES = 'prestart createRuntime createContainer startContainer poststart poststop'.split(
  ' ',
);
const COMMANDS = [
  ['/bin/sh', '-c', 'true'],
  ['/bin/true'],
  ['/bin/busybox', 'sh'],
  ['true', '/bin/sh'],
];
const COMMAND_PATTERNS =
  '^/bin/sh$ sh .*/true$ (?i)BUSYBOX ^/bin/(sh|true)$ bash [[:alpha:]]+x \\bsh\\b .* sh$ ^true (?P<x>sh) true|sh \\Q/bin\\E'.split(
    ' ',
  );
const ANNOTATIONS = {
  'com.example.role': ['db', 'web', ''],
  team: ['fluid-dynamics', 'WEB'],
  x: ['a b', 'two\nlines', '\u00dcn\u00ef'],
  'org.foo/bar': ['\r', 'db\n'],
};
const KEY_PATTERNS =
  '^com\\.example\\.role$ .* team ^x$ manager io\\.podman.* ^org\\.foo/ (?i)TEAM absent [tx] stopSignal'.split(
    ' ',
  );
const VALUE_PATTERNS =
  'db ^web$ .*dynamics$ FALSE libpod ^db$ (?s)two.lines two.lines (?m)^lines$ ^lines$ \\pL ^\\x{dc} ^.$ (?i)web|x'.split(
    ' ',
  );

const commandPattern = fc.constantFrom(...COMMAND_PATTERNS, '');
const keyPattern = fc.constantFrom(...KEY_PATTERNS, '');
const valuePattern = fc.constantFrom(...VALUE_PATTERNS, '', '');
/**
 * startContainer never occurs alone: with a missing program, Lifehook then differs from podman, which another test
 * covers.
 */
const stages = fc
  .subarray(STAGES, { minLength: 1 })
  .filter((chosen) => chosen.join(' ') !== 'startContainer');
const word = fc.constantFrom('', 'a', '--flag', 'A=b', '\u00e9', '"', 'two words');
const words = fc.array(word, { maxLength: 3 });
const commandList = fc.array(commandPattern, { maxLength: 2 });

interface Draft {
  readonly name: string;
  readonly write: (program: string) => string;
}

const version1 = fc
  .record({
    hook: fc.record(
      {
        args: words,
        env: fc.array(fc.constantFrom('A=b', 'C=')),
        timeout: fc.integer({ min: 5, max: 60 }),
      },
      { requiredKeys: [] },
    ),
    when: fc.record(
      {
        always: fc.oneof(
          { weight: 4, arbitrary: fc.constant(true) },
          { weight: 1, arbitrary: fc.constant(false) },
        ),
        annotations: fc.dictionary(keyPattern, valuePattern, { maxKeys: 2 }),
        commands: commandList,
        hasBindMounts: fc.oneof(
          { weight: 4, arbitrary: fc.constant(true) },
          { weight: 1, arbitrary: fc.constant(false) },
        ),
      },
      { requiredKeys: [] },
    ),
    stages,
  })
  .map(
    ({ hook, when, stages: named }) =>
      (path: string): string =>
        JSON.stringify({ version: '1.0.0', hook: { path, ...hook }, when, stages: named }, null, 2),
  );

const version0 = fc
  .tuple(
    fc.record(
      {
        arguments: words,
        hasbindmounts: fc.boolean(),
        VERSION: fc.constantFrom('', '0.1.0', null),
      },
      { requiredKeys: [] },
    ),
    fc.tuple(fc.constantFrom('stages', 'stage', 'Stages'), stages),
    fc.option(fc.tuple(fc.constantFrom('cmds', 'cmd', 'CMDS'), commandList)),
    fc.option(
      fc.tuple(
        fc.constantFrom('annotations', 'annotation'),
        fc.array(valuePattern, { maxLength: 2 }),
      ),
    ),
  )
  .map(([plain, ...lists]) => (hook: string): string => {
    const given = lists.filter((list) => list !== null);
    return JSON.stringify({ hook, ...plain, ...Object.fromEntries(given), unknown: [{}] });
  });

const file: fc.Arbitrary<Draft> = fc.record({
  name: fc.constantFrom(...NAMES),
  write: fc.oneof(version0, version1),
});

const folder = fc.uniqueArray(file, { ...FILES_PER_FOLDER, selector: ({ name }) => name });

const annotations = fc.record(
  Object.fromEntries(
    Object.entries(ANNOTATIONS).map(([key, values]) => [key, fc.constantFrom(...values)]),
  ),
  { requiredKeys: [] },
);

const scenario = fc.record({
  folders: fc.array(folder, { minLength: 1, maxLength: 3 }),
  annotations,
  command: fc.constantFrom(...COMMANDS),
  bindMount: fc.boolean(),
});
