import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { answer, network, signInWays } from '../../testing/network.ts'
import { renderPart } from '../../testing/render-route.tsx'
import { signIn } from '../../testing/sign-in.ts'
import { ConnectedApps } from './connected-apps.tsx'

const app = { id: 'a1', name: 'Reader', uri: 'https://reader.example/about' }

/** The section of the settings, and what is listed there. */
function showApps(enabled: boolean, ...lists: object[][]) {
  signIn()
  let asked = 0
  network.use(
    signInWays({ oauth_server_enabled: enabled }),
    answer('user_settings', []),
    http.get('*/auth/v1/user/oauth/grants', () => HttpResponse.json(lists[Math.min(asked++, lists.length - 1)] ?? [])),
  )
  renderPart(<ConnectedApps />)
}
const grant = { client: app, scopes: ['email'], granted_at: '2024-05-04T12:00:00Z' }

it('lists the connected apps, and removes one after asking', async () => {
  const revoked: (string | null)[] = []
  network.use(
    http.delete('*/auth/v1/user/oauth/grants', ({ request }) => {
      revoked.push(new URL(request.url).searchParams.get('client_id'))
      return new HttpResponse(null, { status: 204 })
    }),
  )
  showApps(true, [grant], [])
  expect(await screen.findByText('Reader')).toBeVisible()
  expect(screen.getByText('Allowed on May 4, 2024 · See your email address')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Remove Reader' }))
  const dialog = await screen.findByRole('dialog', { name: 'Remove Reader?' })
  await userEvent.click(within(dialog).getByRole('button', { name: 'Remove' }))
  expect(await screen.findByText('Reader can no longer use your account')).toBeVisible()
  expect(await screen.findByText('No app can use your account.')).toBeVisible()
  expect(revoked).toEqual(['a1'])
})

it('shows no connected apps where the server lets none in', async () => {
  let asked = false
  network.events.on('request:start', ({ request }) => {
    asked ||= request.url.includes('/user/oauth/grants')
  })
  showApps(false)
  await waitFor(() => expect(document.querySelector('h2')).toBeNull())
  expect(asked).toBe(false)
})
