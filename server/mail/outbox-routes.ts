import type { FastifyPluginAsync } from 'fastify'
import type { Config } from '../config.ts'
import { listOutbox, readFromOutbox } from './outbox.ts'
import { mailPage, missingPage, outboxPage } from './outbox-page.ts'

/** `/dev/outbox`: the messages that were not sent because no SMTP is set (GEN-16, DESIGN §2). In production there is no such path. */
export const outboxRoutes: FastifyPluginAsync<{ readonly services: { readonly config: Config } }> = async (
  app,
  { services: { config } },
) => {
  if (config.environment === 'production') return
  // A message holds links that sign people in: no cache keeps it.
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
