/** The API server as a service of the TLS server: checks the bearer token of each request. */
import type { HttpService, RequestHead } from '../../../../src/platform/http-server.ts';
import type { ApiServer, UserInfo } from './http.ts';
import { bareType } from './media-type.ts';
import { PROTOBUF_TYPE } from './protobuf/decode-protobuf.ts';
import { failureAnswer, StatusError } from './status.ts';
import type { TokenBook } from './tokens.ts';

export function apiService(server: ApiServer, tokens: TokenBook): HttpService {
  return {
    refuse: (head) => (userOf(head, tokens) === null ? unauthorized() : null),
    isBinary: ({ headers }) => bareType(headers['content-type']) === PROTOBUF_TYPE,
    handle: async (request) => {
      const user = userOf(request, tokens);
      return user === null ? unauthorized() : server.handle({ ...request, user });
    },
    upgrade: async (request) => {
      const user = userOf(request, tokens);
      if (user === null) return { kind: 'refused', answer: unauthorized() };
      return server.upgrade({ ...request, user });
    },
    tooLarge: (limitBytes) =>
      failureAnswer({
        code: 413,
        reason: 'RequestEntityTooLarge',
        message: `Request entity too large: limit is ${limitBytes}`,
      }),
  };
}

/** Probes need no token: they reveal only that the server runs. */
const OPEN_PATHS: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz', '/version']);

const ANONYMOUS: UserInfo = { username: 'system:anonymous', groups: ['system:unauthenticated'] };

function userOf({ headers, path }: RequestHead, tokens: TokenBook): UserInfo | null {
  const [, token] = /^Bearer (\S+)$/i.exec(headers['authorization'] ?? '') ?? [];
  const user = token === undefined ? null : tokens.whoIs(token);
  if (user !== null || token !== undefined) return user;
  return OPEN_PATHS.has(path) ? ANONYMOUS : null;
}

function unauthorized(): ReturnType<typeof failureAnswer> {
  const failure = { code: 401, reason: 'Unauthorized', message: 'Unauthorized' };
  return failureAnswer(new StatusError(failure).failure);
}
