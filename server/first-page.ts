import type { FastifyInstance } from 'fastify'

/** Renders the front page once. Otherwise the first visitor would wait a second until the thread that renders pages has loaded the app. */
export async function renderFirstPage(app: FastifyInstance): Promise<void> {
  try {
    await app.inject({ url: '/' })
  } catch (err) {
    app.log.warn({ err }, 'the front page could not be rendered')
  }
}
