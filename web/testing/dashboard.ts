import { screen } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { answer, network } from './network.ts'
import { signFiles } from './sign-files.ts'
import { signIn } from './sign-in.ts'

/* A creator's dashboard, as the server responds. */

const fan = {
  user_id: 'user-grace',
  username: 'grace',
  display_name: 'Grace Hopper',
  avatar_url: null,
  updated_at: '2024-05-01T10:00:00Z',
}
export const stats = {
  total_earnings: 899,
  monthly_earnings: 899,
  total_subscribers: 1,
  new_subscribers_this_week: 1,
  total_likes: 0,
  total_messages: 0,
  profile_views: 0,
}
const growth = {
  this_month: 899,
  last_month: 400,
  earnings_growth: 124.8,
  new_subscribers: 1,
  previous_subscribers: 0,
  subscriber_growth: null,
  views: 13_312,
  previous_views: 1_000,
  view_growth: 1_231.2,
}
const quietDay = {
  subscriptions: 0,
  tips: 0,
  paid_messages: 0,
  ppv: 0,
  private_sessions: 0,
  products: 0,
  referrals: 0,
  total: 0,
}
const shares = ['subscription', 'tip', 'paid_message', 'ppv', 'private_session', 'product', 'referral'].map(
  (source) => ({
    source,
    gross_amount: source === 'tip' ? 500 : 0,
    net_amount: source === 'tip' ? 450 : 0,
    payments: source === 'tip' ? 1 : 0,
    share: source === 'tip' ? 100 : 0,
  }),
)
const totals = { payments: 1_200, gross: 500_010, fee: 50_001, net: 450_009 }
export const line = {
  subscription_id: 'subscription-1',
  status: 'active',
  created_at: '2024-05-01T10:00:00Z',
  current_period_end: '2024-06-01T10:00:00Z',
  cancel_at_period_end: false,
  plan_name: 'Backstage',
  profile_id: 'grace',
  ...fan,
  spent: 2450,
}
export const subscription = {
  id: 'subscription-1',
  status: 'active',
  created_at: '2024-05-01T10:00:00Z',
  current_period_end: '2024-06-01T10:00:00Z',
  cancel_at_period_end: false,
  subscriber: fan,
  tier: { name: 'Backstage' },
}
export const payment = {
  id: 'payment-1',
  transaction_type: 'subscription',
  status: 'completed',
  amount: 999,
  fee_amount: 100,
  net_amount: 899,
  created_at: '2024-05-01T10:00:00Z',
  from: fan,
}
const post = {
  id: 'post-1',
  title: 'Rehearsal',
  content: 'From the wings',
  post_type: 'subscription',
  media_count: 2,
  media_urls: ['u/1.jpg', 'u/2.mp4'],
  media_types: ['image', 'video'],
  media_previews: [{}, { captions: ['en', 'de'] }],
  cover_path: null,
  likes_count: 0,
  comments_count: 1,
  is_pinned: false,
  created_at: '2024-05-01T10:00:00Z',
}
const notification = {
  id: 'n-1',
  title: 'Grace Hopper subscribed to Backstage',
  message: 'You earned $9.00.',
  created_at: '2024-05-01T10:00:00Z',
}

/** An approved creator with one subscriber; `over` has the overrides. */
export function creator(over: Record<string, Parameters<typeof answer>[1]> = {}) {
  const viewer = signIn({ is_creator: true, is_verified: true })
  signFiles()
  const tables = {
    subscriptions: [subscription],
    transactions: [],
    posts: [post],
    notifications: [notification],
    scheduled_posts: [],
    ...over,
  }
  network.use(
    ...Object.entries(tables).map(([table, rows]) => answer(table, rows)),
    http.post('*/rest/v1/rpc/get_creator_stats', () => HttpResponse.json(stats)),
    http.post('*/rest/v1/rpc/get_creator_growth', () => HttpResponse.json(growth)),
    answer('rpc/get_post_figures', [{ id: 'post-1', views: 1_231, purchases: 0, earnings: 450 }]),
    answer('rpc/get_subscribers', []),
    http.post('*/rest/v1/rpc/get_earnings_totals', () => HttpResponse.json(totals)),
    answer('rpc/get_earnings_series', [{ ...quietDay, day: '2024-05-01', tips: 450, total: 450 }]),
    answer('rpc/get_revenue_split', shares),
    http.post('*/rest/v1/rpc/get_creator_balance', () =>
      HttpResponse.json({ earned: 10_899, balance: 899, paid_out: 10_000 }),
    ),
    http.post('*/functions/v1/get-payout-balance', () =>
      HttpResponse.json({ balance: { availableCents: 700, pendingCents: 199 } }),
    ),
  )
  return viewer
}

/** The value beside a label in the stats. */
export const stat = async (name: string) => (await screen.findByText(name)).nextElementSibling
