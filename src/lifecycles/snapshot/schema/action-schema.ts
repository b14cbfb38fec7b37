/**
 * Schemas of the actions of a hook: an action in either spelling of the proposal (SNAP-G3), a session, a probe, a
 * recipe.
 */
import * as z from 'zod';

import { exact, type FieldsOf } from '../../../controller/definitions/exact-schema.ts';
import {
  intOrString,
  list,
  name,
  seconds,
  text,
  textMap,
} from '../../../controller/definitions/field-schemas.ts';
import {
  COMMAND_WORD_CHARACTERS_MAX,
  COMMAND_WORDS_MAX,
  NAME_CHARACTERS_MAX,
} from '../../../controller/definitions/value-limits.ts';
import type {
  HookAction,
  LockScope,
  Rescue,
  ResolvedAction,
  SessionAction,
} from '../action-kinds.ts';
import type { HookActions } from '../kinds.ts';
import {
  ACTION_SECONDS_MAX,
  EXPIRATION_SECONDS_MAX,
  HEADER_CHARACTERS_MAX,
  HEADERS_MAX,
  PATH_CHARACTERS_MAX,
  PROBE_SECONDS_MAX,
  READY_CHARACTERS_MAX,
  RECIPE_PARAMETER_CHARACTERS_MAX,
  WINDOW_SECONDS_MAX,
  WINDOW_SECONDS_MIN,
} from './limits.ts';

export function words(description: string): z.ZodArray<z.ZodString> {
  const word = text('One word, passed exactly as it stands.', COMMAND_WORD_CHARACTERS_MAX);
  return list(word, { description, min: 1, max: COMMAND_WORDS_MAX });
}

const command = words(
  'The program and its arguments, passed exactly as they stand: there is no shell.',
);
const exec = exact<NonNullable<HookAction['exec']>>()(
  z.strictObject({ command }).describe('Runs a command in the container.'),
);

const host = text(
  'Where to connect to; the address of the pod if not given.',
  NAME_CHARACTERS_MAX,
).exactOptional();
const port = intOrString("A number from 1 to 65535, or the name of one of the container's ports.");

const header = z
  .strictObject({
    name: text('Its name.', HEADER_CHARACTERS_MAX).min(1),
    value: text('Its value.', HEADER_CHARACTERS_MAX),
  })
  .describe('One header.');
const httpGet = exact<NonNullable<HookAction['httpGet']>>()(
  z
    .strictObject({
      path: text('The path; "/" if not given.', PATH_CHARACTERS_MAX).exactOptional(),
      port,
      host,
      scheme: z.enum(['HTTP', 'HTTPS']).describe('HTTP if not given.').exactOptional(),
      httpHeaders: list(header, {
        description: 'Headers to send.',
        max: HEADERS_MAX,
      }).exactOptional(),
    })
    .describe('Makes an HTTP GET request; an answer from 200 to 399 is a success.'),
);
const tcpSocket = exact<NonNullable<HookAction['tcpSocket']>>()(
  z
    .strictObject({ port, host })
    .describe(
      'Opens a TCP connection. It checks that the port accepts connections, and freezes nothing.',
    ),
);

export const sessionSchema: z.ZodType<SessionAction> = exact<SessionAction>()(
  z
    .strictObject({
      client: words(
        'With it, a program that is kept running and fed statements, so that freeze and thaw are of one session.',
      ).exactOptional(),
      freeze: words('With a client, lines for it; without, a command that freezes.'),
      thaw: words('With a client, lines for it; without, a command that thaws.'),
      ready: text(
        'With a client, which has to have it: the line of its output that says that it is frozen.',
        READY_CHARACTERS_MAX,
      ).exactOptional(),
      windowSeconds: seconds(
        'How long it stays frozen without a sign of life from the controller; 15 if not given.',
        WINDOW_SECONDS_MIN,
        WINDOW_SECONDS_MAX,
      ).exactOptional(),
    })
    .describe(
      'Of a preAction: holds the freeze in the container, and thaws by itself when nothing is heard of the controller.',
    ),
);

const handlers = {
  exec: exec.exactOptional(),
  httpGet: httpGet.exactOptional(),
  tcpSocket: tcpSocket.exactOptional(),
};

const budget =
  'How long all attempts may take together, from the first start to the last end; 30 if not given.';
const actionTimeoutSeconds = seconds(budget, 1, ACTION_SECONDS_MAX);
const idempotent = z
  .boolean()
  .describe('Whether it may be retried after an attempt with an unknown outcome.')
  .exactOptional();

export const actionSchema: z.ZodType<HookAction> = exact<HookAction>()(
  z.strictObject({
    ...handlers,
    session: sessionSchema.exactOptional(),
    action: z
      .strictObject(handlers)
      .describe('Another spelling: exec, httpGet or tcpSocket may stand in here.')
      .exactOptional(),
    actionTimeoutSeconds: actionTimeoutSeconds.exactOptional(),
    idempotent,
  }),
);

export const resolvedActionSchema: z.ZodType<ResolvedAction> = exact<ResolvedAction>()(
  z.strictObject({
    ...handlers,
    session: sessionSchema.exactOptional(),
    actionTimeoutSeconds,
    idempotent,
  }),
);

export const policySchema: z.ZodType<NonNullable<HookActions['policy']>> = exact<
  NonNullable<HookActions['policy']>
>()(
  z
    .enum(['ExecuteOnce', 'ExecuteAll'])
    .describe(
      'ExecuteOnce: on one of the selected pods. ExecuteAll, if not given: on all of them.',
    ),
);

export const lockScopeSchema: z.ZodType<LockScope> = exact<LockScope>()(
  z
    .enum(['Process', 'Kernel'])
    .describe(
      "What ends the freeze besides its thaw. Process, if not given: the end of the container's processes. Kernel: nothing, as of a frozen file system; it outlives the pod.",
    ),
);

export const rescueSchema: z.ZodType<Rescue> = exact<Rescue>()(
  z
    .strictObject({
      image: text(
        'What the rescue pod runs; the image of the container if not given.',
        PATH_CHARACTERS_MAX,
      )
        .min(1)
        .exactOptional(),
    })
    .describe(
      'Of a Kernel lock: where the container cannot thaw any more, a pod on the same node with the same volumes runs the thaw.',
    ),
);

const probe = exact<NonNullable<HookActions['probe']>>()(
  z
    .strictObject({
      exec,
      timeoutSeconds: seconds(
        'Of one question; 10 if not given.',
        1,
        PROBE_SECONDS_MAX,
      ).exactOptional(),
    })
    .describe(
      'Asks whether the freeze is in force: exit code 0 says yes. Asked after the preAction and after the cut.',
    ),
);

export const recipeSchema: z.ZodType<NonNullable<HookActions['recipe']>> = exact<
  NonNullable<HookActions['recipe']>
>()(
  z
    .strictObject({
      name: name('Its name: "lifehook recipes list" lists them.'),
      parameters: textMap(
        'Its parameters: "lifehook recipes show" names them.',
        RECIPE_PARAMETER_CHARACTERS_MAX,
      ).exactOptional(),
    })
    .describe('A recipe that is known to freeze an application, instead of actions.'),
);

/** The fields of a template, and of a hook with actions of its own. */
export const actionFields: FieldsOf<HookActions> = {
  policy: policySchema.exactOptional(),
  preAction: actionSchema
    .describe('What freezes: done when the hook begins. Exactly one of its handlers.')
    .exactOptional(),
  postAction: actionSchema
    .describe(
      'What thaws: done wherever the preAction was begun. Absent: there is nothing to undo.',
    )
    .exactOptional(),
  probe: probe.exactOptional(),
  lockScope: lockScopeSchema.exactOptional(),
  rescue: rescueSchema.exactOptional(),
  recipe: recipeSchema.exactOptional(),
  expirationSeconds: seconds(
    'The longest time from the first preAction to the thaw, which then begins by itself.',
    1,
    EXPIRATION_SECONDS_MAX,
  ).exactOptional(),
  expirationTimeSeconds: seconds(
    'Another spelling of expirationSeconds.',
    1,
    EXPIRATION_SECONDS_MAX,
  ).exactOptional(),
};

export const actionsSchema: z.ZodType<HookActions> = exact<HookActions>()(
  z.strictObject(actionFields),
);
