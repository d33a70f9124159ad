import { type Community, dayMs } from '../community.ts'
import type { Table, Value } from '../copy.ts'
import { writeBio } from '../vocabulary.ts'

/** The domain of every seeded address. It is reserved (RFC 2606), so no email ever reaches anyone. */
export const seedDomain = 'seed.example'

/** Accounts, their profiles, and how they sign in. Written last, when the counters are known. */
export function people(community: Community, passwordHash: string | null): Table[] {
  const everybody = (row: (person: number) => Value[]) =>
    function* () {
      for (let person = 0; person < community.people; person++) yield row(person)
    }
  return [
    {
      name: 'auth.users',
      columns: [
        'id',
        'email',
        'encrypted_password',
        'email_confirmed_at',
        'raw_app_meta_data',
        'raw_user_meta_data',
        'created_at',
        'updated_at',
      ],
      rows: everybody((person) => {
        const { username, displayName } = community.nameOf(person)
        const joined = new Date(community.joinedAt(person))
        const app = JSON.stringify({ provider: 'email', providers: ['email'] })
        const own = JSON.stringify({ username, display_name: displayName, terms_accepted: true })
        return [community.userId(person), email(username), passwordHash, joined, app, own, joined, joined]
      }),
    },
    {
      name: 'auth.identities',
      columns: ['id', 'user_id', 'provider', 'provider_id', 'identity_data', 'created_at', 'updated_at'],
      rows: everybody((person) => {
        const { username } = community.nameOf(person)
        const user = community.userId(person)
        const joined = new Date(community.joinedAt(person))
        const data = JSON.stringify({ sub: user, email: email(username), email_verified: true, phone_verified: false })
        return [community.chance.uuid('identity', person), user, 'email', user, data, joined, joined]
      }),
    },
    {
      name: 'private.presence',
      columns: ['profile_id', 'last_seen_at'],
      rows: everybody((person) => {
        const days = community.chance.random('presence', person).exponential(6)
        const at = Math.max(community.joinedAt(person), community.until - Math.floor(days * dayMs))
        return [community.profileId(person), new Date(at)]
      }),
    },
    {
      // Between fans, whom nobody follows here: a block ends the follows between two users.
      name: 'public.blocks',
      columns: ['id', 'blocker_id', 'blocked_id', 'created_at'],
      *rows() {
        const { creators, fans } = community.plan
        for (let fan = 0; fan + 1 < fans; fan += 40) {
          const [blocker, blocked] = [creators + fan, creators + fan + 1]
          const at = Math.max(community.joinedAt(blocker), community.joinedAt(blocked))
          const ids = [community.chance.uuid('block', fan), community.profileId(blocker), community.profileId(blocked)]
          yield [...ids, new Date(at)]
        }
      },
    },
    { name: 'private.profiles', columns: profileColumns, rows: everybody((person) => profileRow(community, person)) },
  ]
}

function email(username: string): string {
  return `${username}@${seedDomain}`
}

const profileColumns = [
  'id',
  'user_id',
  'username',
  'display_name',
  'bio',
  'is_creator',
  'is_verified',
  'is_private',
  'is_listed',
  'tiered_access',
  'categories',
  'followers_count',
  'following_count',
  'total_photos',
  'total_videos',
  'total_posts',
  'total_earnings',
  'terms_accepted_at',
  'stripe_account_id',
  'stripe_onboarding_completed',
  'stripe_charges_enabled',
  'stripe_payouts_enabled',
  'subscribers_count',
  'likes_received',
  'last_posted_at',
  'debut_at',
  'lowest_price_cents',
  'created_at',
  'updated_at',
]

function profileRow(community: Community, person: number): Value[] {
  const { chance, tallies } = community
  const isCreator = person < community.plan.creators
  const isPrivate = community.isPrivate(person)
  const isListed = isCreator && !isPrivate
  const plans = community.plansOf(person)
  const categories = isCreator ? community.categoriesOf(person) : []
  const { username, displayName } = community.nameOf(person)
  const joined = new Date(community.joinedAt(person))
  const lastPostedAt = tallies.lastPostedAt[person] ?? 0
  return [
    community.profileId(person),
    community.userId(person),
    username,
    displayName,
    categories[0] ? writeBio(chance.random('person', person), categories[0]) : null,
    isCreator,
    isCreator,
    isPrivate,
    isListed,
    plans.length > 1,
    categories,
    tallies.followers[person] ?? 0,
    tallies.following[person] ?? 0,
    tallies.photos[person] ?? 0,
    tallies.videos[person] ?? 0,
    tallies.posts[person] ?? 0,
    tallies.earnedCents[person] ?? 0,
    joined,
    isCreator ? `acct_${chance.uuid('stripe', person).replaceAll('-', '')}` : null,
    isCreator,
    isCreator,
    isCreator,
    tallies.subscribers[person] ?? 0,
    tallies.likes[person] ?? 0,
    lastPostedAt > 0 ? new Date(lastPostedAt) : null,
    isListed && lastPostedAt > 0 ? new Date(tallies.firstPostedAt[person] ?? lastPostedAt) : null,
    lowestMonthlyCents(plans),
    joined,
    joined,
  ]
}

/** Like private.price_creator (D36). */
function lowestMonthlyCents(plans: ReturnType<Community['plansOf']>): string | null {
  if (plans.length === 0) return null
  return Math.min(...plans.map((p) => (p.interval === 'year' ? p.priceCents / 12 : p.priceCents))).toFixed(2)
}
