import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { escapeHtml } from '../escape-html.ts'
import type { ApiOptions } from '../http/api.ts'
import { readUnsubscribe } from '../notifications/unsubscribe-link.ts'
import { turnOffEmails, turnOffPostEmails } from './queries.ts'
import type { Services } from './services.ts'

const path = '/unsubscribe-email'

/**
 * The link in notification emails (SET-16). It works without signing in, because the token says whose email it was. Opening it
 * only asks, because mail scanners open links. The button, or the mail program's own (RFC 8058), turns emails off. With `only=posts`, it
 * turns off emails about new posts (LOOP-02). That isn't signed: anyone with the token could turn off all of them.
 */
export const unsubscribeRoute: FastifyPluginAsync<ApiOptions<Services>> = async (app, { services }) => {
  const { config, secrets, database } = services
  const { productName } = config.operator

  app.get(path, async (request, reply) => {
    const { token } = request.query as { token?: unknown }
    if (readUnsubscribe(secrets.jwtSecret, token) === undefined) return refuse(reply, productName)
    const onlyPosts = isOnlyPosts(request.query)
    const action = `/functions/v1${path}?token=${encodeURIComponent(String(token))}${onlyPosts ? '&only=posts' : ''}`
    const what = onlyPosts ? 'about new posts' : 'notifications'
    return answer(
      reply,
      200,
      'Unsubscribe',
      `<p>${escapeHtml(productName)} will stop emailing you ${what}. You'll still see them in the app.</p>
<form method="post" action="${escapeHtml(action)}"><button>Unsubscribe</button></form>`,
    )
  })

  app.post(path, async (request, reply) => {
    const { token } = request.query as { token?: unknown }
    const profileId = readUnsubscribe(secrets.jwtSecret, token)
    if (profileId === undefined) return refuse(reply, productName)
    const onlyPosts = isOnlyPosts(request.query)
    await (onlyPosts ? turnOffPostEmails : turnOffEmails)(database.service, profileId)
    return answer(
      reply,
      200,
      "You're unsubscribed",
      `<p>You won't get any more ${onlyPosts ? 'emails about new posts' : 'notification emails'}. You can turn them back on in <a href="/settings?tab=notifications">Settings</a>.</p>`,
    )
  })
}

const isOnlyPosts = (query: unknown): boolean => (query as { only?: unknown }).only === 'posts'

function refuse(reply: FastifyReply, productName: string) {
  return answer(
    reply,
    400,
    'This link is incomplete',
    `<p>Copy the whole link from the email, or change your notifications in <a href="/settings?tab=notifications">${escapeHtml(productName)} settings</a>.</p>`,
  )
}

function answer(reply: FastifyReply, status: number, title: string, body: string) {
  return reply
    .status(status)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title}</title>
<style>
body { margin: 0 auto; padding: 15vh 20px 32px; max-width: 30rem; font: 17px/1.6 system-ui, sans-serif; color: light-dark(#231e1a, #f1ebe2); background: light-dark(#faf7f2, #171412) }
h1 { font: 600 30px/1.2 Georgia, serif }
a { color: light-dark(#b3123b, #f08fa5) }
button { padding: 12px 20px; font: inherit; font-weight: 600; color: #fff; background: #b3123b; border: 0; border-radius: 8px; cursor: pointer }
button:focus-visible, a:focus-visible { outline: 2px solid; outline-offset: 2px }
</style></head>
<body><main><h1>${title}</h1>
${body}
</main></body>
</html>
`)
}
