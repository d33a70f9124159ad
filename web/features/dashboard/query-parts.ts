/** The key of everything on the dashboard, because one change can affect all of it. */
export const dashboardKey = (profileId: string) => ['dashboard', profileId] as const

/** Refetched whenever the screen opens, because creators come for recent events. */
export const fresh = { staleTime: 0 }
export const pageSize = 50

/** Another user in a list. */
export type Person = {
  user_id: string
  username: string | null
  display_name: string | null
  avatar_url: string | null
  updated_at: string
}
export const personColumns = 'user_id, username, display_name, avatar_url, updated_at'

/** Keyset pagination by the previous page's last row, so that late pages cost no more than the first. */
export const lastOf =
  (size: number) =>
  <Row>(page: Row[]): Row | undefined =>
    page.length < size ? undefined : page.at(-1)
