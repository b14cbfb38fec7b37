/** `admin.mjs freeze|thaw|frozen|greet`: sends one request to the server of this pod. Exits with 0 if the status is 200. */
/* oxlint-disable typescript/no-unsafe-argument, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-return -- plain JavaScript, that runs without a build */
import { once } from 'node:events';
import { request } from 'node:http';
import process from 'node:process';

const [, , what] = process.argv;
const questions = {
  freeze: ['POST', '/freeze'],
  thaw: ['POST', '/thaw'],
  frozen: ['GET', '/frozen'],
  greet: ['GET', '/ready'],
};
const [method, path] = questions[what];
// Not `fetch`, which takes longer to load than everything else here.
const call = request({ host: process.env.HOST, port: 8080, path, method }).end();
const [response] = await once(call, 'response');
let text = '';
for await (const piece of response.setEncoding('utf8')) text += piece;
process.stdout.write(what === 'greet' ? `${process.env.HOSTNAME} serves ${text}` : text);
process.exitCode = response.statusCode === 200 ? 0 : 1;
