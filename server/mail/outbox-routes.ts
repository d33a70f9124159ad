import type { FastifyPluginAsync } from 'fastify'
import type { Config } from '../config.ts'
import { listOutbox, readFromOutbox } from './outbox.ts'
import { mailPage, missingPage, outboxPage } from './outbox-page.ts'

/** `/dev/outbox`: messages that weren't sent because no SMTP server is set (GEN-16, DESIGN §2). Doesn't exist in production. */
export const outboxRoutes: FastifyPluginAsync<{ readonly services: { readonly config: Config } }> = async (
  app,
  { services: { config } },
) => {
  if (config.environment === 'production') return
  // Messages hold links that sign users in, so no cache may keep them.
  app.addHook('onSend', async (_request, reply) => void reply.header('Cache-Control', 'no-store'))

  app.get('/dev/outbox', async (request, reply) => {
    const mails = await listOutbox(config.dataDir)
    if (request.headers.accept?.startsWith('application/json')) return mails
    return reply.type('text/html; charset=utf-8').send(outboxPage(mails, config.smtpUrl !== undefined))
  })
  app.get<{ Params: { id: string } }>('/dev/outbox/:id', async (request, reply) => {
    const mail = await readFromOutbox(config.dataDir, request.params.id)
    return reply
      .status(mail ? 200 : 404)
      .type('text/html; charset=utf-8')
      .send(mail ? mailPage(mail) : missingPage())
  })
}
