import { buildApi } from '../http/api.ts'
import { errors } from '../http/errors.ts'
import { acceptJsonBodies } from './body.ts'
import { requireCaptcha } from './captcha.ts'
import { buildAuthContext } from './context.ts'
import { fromDatabase } from './from-database.ts'
import { renderError } from './render-error.ts'
import { adminRoutes } from './routes/admin.ts'
import { factorRoutes } from './routes/factors.ts'
import { infoRoutes } from './routes/info.ts'
import { mailRoutes } from './routes/mail.ts'
import { notConfiguredRoutes } from './routes/not-configured.ts'
import { oauthServerRoutes } from './routes/oauth-server.ts'
import { passkeyRoutes } from './routes/passkeys.ts'
import { providerRoutes } from './routes/providers.ts'
import { sessionRoutes } from './routes/session.ts'
import { ssoRoutes } from './routes/sso.ts'
import { userRoutes } from './routes/user.ts'
import type { Services } from './services.ts'
import { rememberDevices } from './sessions/known-device.ts'

/** `/auth/v1`: accounts and sessions, compatible with `@supabase/auth-js` (API-AUTH). */
export const authApi = buildApi<Services>({
  renderError,
  fromDatabase,
  routes(app, services) {
    const ctx = buildAuthContext(services)
    acceptJsonBodies(app)
    app.addHook('onSend', async (_request, reply) => {
      // Responses hold tokens and personal data, so no cache may keep them. The key set has its own rule.
      if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    })
    rememberDevices(app, ctx)
    app.addHook('preHandler', (request) => requireCaptcha(ctx, request))
    sessionRoutes(app, ctx)
    userRoutes(app, ctx)
    mailRoutes(app, ctx)
    factorRoutes(app, ctx)
    passkeyRoutes(app, ctx)
    adminRoutes(app, ctx)
    infoRoutes(app, ctx)
    providerRoutes(app, ctx)
    ssoRoutes(app, ctx)
    if (services.config.auth.oauthServer.enabled) oauthServerRoutes(app, ctx)
    notConfiguredRoutes(app)
    // The web app's files are served from '/*': without this, a mistyped path would return a page.
    app.all('/*', async (request) => {
      throw errors.notFound(request.url.split('?')[0] ?? '')
    })
  },
})
