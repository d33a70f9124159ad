import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { realtimeHandler } from './realtime.ts'
import { buildFrontPage } from './rows.ts'

/** The sign-in methods of auth/v1: only the password, unless the test adds more. */
export const signInWays = (
  over: {
    external?: Record<string, boolean>
    saml_enabled?: boolean
    passkeys_enabled?: boolean
    mfa_required_for_admins?: boolean
    disable_signup?: boolean
    oauth_server_enabled?: boolean
  } = {},
) =>
  http.get('*/auth/v1/settings', () =>
    HttpResponse.json({
      external: { email: true, phone: false, anonymous_users: false, google: false },
      saml_enabled: false,
      passkeys_enabled: false,
      disable_signup: false,
      ...over,
    }),
  )

/** The network, mocked at HTTP. A request without a handler fails the test. */
export const network = setupServer(
  realtimeHandler,
  signInWays(),
  // The shell counts unread items and sends the viewer's online status.
  http.get('*/rest/v1/rpc/count_unread_messages', () => HttpResponse.json(0)),
  http.get('*/rest/v1/rpc/get_conversation', () => HttpResponse.json(null)),
  // The viewer restricts nobody.
  http.post('*/rest/v1/rpc/restricted_among', () => HttpResponse.json([])),
  // Everyone may comment, likes no comments, and gets no suggestions while typing; no comment waits for review.
  http.get('*/rest/v1/rpc/get_comment_access', () =>
    HttpResponse.json([
      { commenters: 'everyone', plan_id: null, plan_name: null, may_comment: true, is_default: true },
    ]),
  ),
  http.get('*/rest/v1/comment_likes', () => HttpResponse.json([])),
  http.get('*/rest/v1/comment_settings', () => HttpResponse.json([])),
  http.get('*/rest/v1/rpc/get_held_comments', () => HttpResponse.json([])),
  http.get('*/rest/v1/rpc/suggest_tags', () => HttpResponse.json([])),
  http.get('*/rest/v1/rpc/suggest_people', () => HttpResponse.json([])),
  // The viewer mutes no offers, and nobody mutes theirs.
  http.get('*/rest/v1/rpc/get_muted_offers', () => HttpResponse.json([])),
  http.get('*/rest/v1/rpc/count_offer_mutes', () => HttpResponse.json(0)),
  // The front page of visitors shows creators, and no operator has changed it.
  http.get('*/rest/v1/rpc/front_creators', () => HttpResponse.json([])),
  http.get('*/rest/v1/front_page', () => HttpResponse.json(buildFrontPage())),
  http.get('*/rest/v1/rpc/discover_creators', () => HttpResponse.json([])),
  http.get('*/rest/v1/rpc/suggest_creators', () => HttpResponse.json([])),
  http.get('*/rest/v1/rpc/explore_rails', () => HttpResponse.json([])),
  http.get('*/rest/v1/rpc/posts_for_sale', () => HttpResponse.json([])),
  // By default, creators have no plans, no products, no goals, and default prices and tips.
  http.get('*/rest/v1/goals', () => HttpResponse.json([])),
  http.get('*/rest/v1/subscription_products', () => HttpResponse.json([])),
  http.get('*/rest/v1/rpc/get_products', () => HttpResponse.json([])),
  http.get('*/rest/v1/monetization_settings', () => HttpResponse.json([])),
  // Nobody pauses.
  http.get('*/rest/v1/billing_pauses', () => HttpResponse.json([])),
  http.get('*/rest/v1/pause_settings', () => HttpResponse.json([])),
  // Nobody has applied to become a creator.
  http.get('*/rest/v1/creator_applications', () => HttpResponse.json([])),
  // Nobody has asked for support, and the admin panel counts no users.
  http.get('*/rest/v1/support_requests', () => HttpResponse.json([])),
  http.post('*/rest/v1/rpc/count_users', () => HttpResponse.json(0)),
  http.post('*/rest/v1/rpc/get_admin_queues', () =>
    HttpResponse.json({ pending_applications: 0, open_reports: 0, open_support_requests: 0 }),
  ),
  // No username was changed, and creators have no away message.
  http.get('*/rest/v1/rpc/get_present_username', () => HttpResponse.json(null)),
  http.get('*/rest/v1/rpc/is_username_reserved', () => HttpResponse.json(false)),
  http.get('*/rest/v1/rpc/get_message_notice', () => HttpResponse.json([])),
  // Creators' profiles look as usual, without links.
  http.get('*/rest/v1/profile_layouts', () => HttpResponse.json([])),
  http.get('*/rest/v1/profile_links', () => HttpResponse.json([])),
  // Nobody has made an album, and vaults have no quota.
  http.get('*/rest/v1/rpc/get_vault_space', () =>
    HttpResponse.json([{ used_bytes: 0, quota_bytes: null, own_quota_gb: null }]),
  ),
  http.get('*/rest/v1/rpc/get_vault_albums', () => HttpResponse.json([])),
  // Views of pages are counted.
  http.post('*/functions/v1/count-page-view', () => HttpResponse.json({})),
  // Nobody has stories.
  http.get('*/rest/v1/rpc/get_story_rings', () => HttpResponse.json([])),
  http.get('*/rest/v1/rpc/get_stories', () => HttpResponse.json([])),
  http.get('*/rest/v1/rpc/get_story_highlights', () => HttpResponse.json([])),
  // No creator has lists of fans.
  http.get('*/rest/v1/fan_lists', () => HttpResponse.json([])),
  http.get('*/rest/v1/rpc/get_flows', () => HttpResponse.json([])),
  // Nor links, and nobody has opened one that gives a free trial.
  http.get('*/rest/v1/tracking_links', () => HttpResponse.json([])),
  http.get('*/rest/v1/rpc/get_trial_offers', () => HttpResponse.json([])),
  // No creator has an offer.
  http.get('*/rest/v1/rpc/get_offers', () => HttpResponse.json([])),
  http.get('*/rest/v1/offers', () => HttpResponse.json([])),
  http.get('*/rest/v1/fan_list_members', () => HttpResponse.json([])),
  // No creator has a domain of their own.
  http.get('*/rest/v1/custom_domains', () => HttpResponse.json([])),
  // The viewer pays nobody, and nobody has blocked anyone.
  http.get('*/rest/v1/subscriptions', () => HttpResponse.json([])),
  http.get('*/rest/v1/blocks', () => HttpResponse.json([])),
  // Nobody has given a gift or made gift codes.
  http.get('*/rest/v1/rpc/get_given_gifts', () => HttpResponse.json([])),
  http.get('*/rest/v1/rpc/get_gift_batches', () => HttpResponse.json([])),
  // No payment waits for a bank.
  http.post('*/rest/v1/rpc/get_own_confirmations', () => HttpResponse.json([])),
  // No plan unlocks anything.
  http.get('*/rest/v1/rpc/get_unlocks', () => HttpResponse.json([])),
  // Nobody the viewer follows has posted.
  http.get('*/rest/v1/rpc/count_new_posts', () => HttpResponse.json(0)),
  http.get('*/rest/v1/rpc/get_new_posts', () => HttpResponse.json([])),
  http.post('*/rest/v1/rpc/read_new_posts', () => HttpResponse.json(0)),
  http.get('*/rest/v1/rpc/list_heard_creators', () => HttpResponse.json([])),
  http.get('*/rest/v1/rpc/get_post_alerts', () => HttpResponse.json(null)),
  http.post('*/rest/v1/rpc/record_presence', () => new HttpResponse(null, { status: 204 })),
  http.post('*/rest/v1/rpc/report_time_zone', () => new HttpResponse(null, { status: 204 })),
)

type Row = Record<string, unknown>

/** Responds for a table or procedure of `rest/v1` with rows, or with a single object if the client asks for one. */
export const answer = (table: string, rows: Row[] | number | boolean | null) =>
  http.all(`*/rest/v1/${table}`, ({ request }) => {
    if (!Array.isArray(rows)) return HttpResponse.json(rows)
    const headers = { 'content-range': rows.length ? `0-${rows.length - 1}/${rows.length}` : '*/0' }
    if (request.headers.get('accept')?.includes('vnd.pgrst.object'))
      return HttpResponse.json(rows[0] ?? null, { headers })
    return HttpResponse.json(rows, { headers })
  })

/** Makes a table or procedure fail, as when the database is down. */
export const fail = (table: string, status = 500, message = 'down') =>
  http.all(`*/rest/v1/${table}`, () =>
    HttpResponse.json({ code: 'XX000', message, details: null, hint: null }, { status }),
  )
