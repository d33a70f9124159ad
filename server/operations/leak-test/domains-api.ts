import { request } from 'node:http'
import { request as requestSecurely } from 'node:https'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiClient } from './api-client.ts'
import type { ApiProbe, Attempt } from './attempt.ts'
import { says } from './says.ts'

const patienceMs = 20_000
const mostTurns = 10
type Response = { readonly status: number; readonly body: string }

/** A creator's page. */
const pages = ['/', '/?tab=media']
/** What exists on the site itself. */
const otherPaths = ['/feed.xml', '/app-config.json']

/**
 * A creator's own domain (PAGE-02), which shows their page where the operator allows domains. Elsewhere, it is the front page. A post's own
 * address is tried there too.
 */
export const domainsApi: ApiProbe = async ({ secrets, domain }, visitor) => {
  const answers = new Map<string, Promise<string>>()
  const ask = (path: string) => {
    const answer = answers.get(path) ?? askPatiently(domain, visitor, path)
    answers.set(path, answer)
    return answer
  }
  return secrets.flatMap((secret) =>
    [...pages, ...otherPaths, `/post/${secret.id}`, `/embed/post/${secret.id}`].map(
      (path): Attempt => ({
        api: 'domains',
        secret,
        action: `GET ${path} with "Host: ${domain}"`,
        run: async () => says(secret)({ text: await ask(path) }),
      }),
    ),
  )
}

/** A page that a busy server hasn't rendered redirects to the site: then it is requested again, because it wasn't tried yet. */
async function askPatiently(host: string, visitor: ApiClient, path: string): Promise<string> {
  for (let turn = 1; ; turn += 1) {
    const { status, body } = await askAt(host, visitor, path)
    if (status !== 302 || !pages.includes(path) || turn === mostTurns) return body
    await sleep(1_000)
  }
}

/** `fetch` sends no other `Host` than that of its URL. */
function askAt(host: string, { url, anonKey, token = anonKey }: ApiClient, path: string): Promise<Response> {
  const send = url.startsWith('https:') ? requestSecurely : request
  return new Promise((resolve, reject) => {
    const headers = { host, apikey: anonKey, authorization: `Bearer ${token}`, accept: 'text/html' }
    const sent = send(new URL(path, url), { headers, signal: AbortSignal.timeout(patienceMs) }, (answer) => {
      text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject)
    })
    sent.on('error', reject).end()
  })
}
