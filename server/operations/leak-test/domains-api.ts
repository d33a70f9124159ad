import { request } from 'node:http'
import { request as requestSecurely } from 'node:https'
import { text } from 'node:stream/consumers'
import type { ApiClient } from './api-client.ts'
import type { ApiProbe, Attempt } from './attempt.ts'
import { says } from './says.ts'

const patienceMs = 20_000
/** A creator's page, and addresses that exist on the site itself. */
const paths = ['/', '/?tab=media', '/feed.xml', '/app-config.json']

/**
 * A creator's own domain (PAGE-02), which shows their page where the operator allows domains. Elsewhere, it is the front page. A post's own
 * address is tried there too.
 */
export const domainsApi: ApiProbe = async ({ secrets, domain }, visitor) => {
  const answers = new Map<string, Promise<string>>()
  const ask = (path: string) => {
    const answer = answers.get(path) ?? askAt(domain, visitor, path)
    answers.set(path, answer)
    return answer
  }
  return secrets.flatMap((secret) =>
    [...paths, `/post/${secret.id}`, `/embed/post/${secret.id}`].map(
      (path): Attempt => ({
        api: 'domains',
        secret,
        action: `GET ${path} with "Host: ${domain}"`,
        run: async () => says(secret)({ text: await ask(path) }),
      }),
    ),
  )
}

/** `fetch` sends no other `Host` than that of its URL. */
function askAt(host: string, { url, anonKey, token = anonKey }: ApiClient, path: string): Promise<string> {
  const send = url.startsWith('https:') ? requestSecurely : request
  return new Promise((resolve, reject) => {
    const headers = { host, apikey: anonKey, authorization: `Bearer ${token}`, accept: 'text/html' }
    const sent = send(new URL(path, url), { headers, signal: AbortSignal.timeout(patienceMs) }, (answer) => {
      text(answer).then(resolve, reject)
    })
    sent.on('error', reject).end()
  })
}
