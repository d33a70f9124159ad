import { screen, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import type { Profile } from '../features/profiles/queries.ts'
import { answer, network } from './network.ts'
import { buildProfile } from './rows.ts'
import { viewerProfile } from './sign-in.ts'

/** Somebody's profile, with no posts, as the viewer `signIn` gave or as a visitor. */
export function serveProfile(over: Partial<Profile> = {}, viewer: object = viewerProfile) {
  const row = buildProfile(over)
  network.use(
    http.get('*/rest/v1/profiles', ({ request }) => {
      const asked = new URL(request.url).searchParams
      return HttpResponse.json(asked.get('user_id') === `eq.${viewerProfile.user_id}` ? viewer : row)
    }),
    answer('posts', []),
    answer('follows', []),
  )
  return row
}

/** One of the counts in a profile's head. */
export const statistic = (label: string) =>
  within(screen.getByText(label).closest('div') as HTMLElement).getByRole('definition')
