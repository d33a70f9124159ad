import { paths } from '@ovation/contract/paths'
import { menuTexts } from '@ovation/contract/texts/account-menu'
import { railTexts } from '@ovation/contract/texts/rail'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import { OfferPrice } from '../../domain/offers/offer-price.tsx'
import { usePlanOffers } from '../../domain/offers/plan-offers.ts'
import { closesAt, mySubscriptionsQuery } from '../../domain/subscriptions/my-subscriptions.ts'
import { plansQuery } from '../../domain/subscriptions/plan-queries.ts'
import { useTrialOffers } from '../../domain/subscriptions/use-trial-offers.ts'
import { suggestionsQuery } from '../../features/discover/explore-queries.ts'
import { profileQuery } from '../../features/profiles/queries.ts'
import { addressOf, nameOf, useViewer } from '../../lib/auth/viewer.ts'
import { websiteName } from '../../lib/format/website-name.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { OutsideLink } from '../../ui/outside-link.tsx'
import { PriceTag } from '../../ui/price-tag.tsx'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import classes from './right-rail.module.css'

const texts = railTexts
const shown = 6

/** What a wide screen shows at the right: a creator's plans and links, else the viewer's subscriptions and suggestions (LOOP-19). */
export default function RightRail({ profile }: { profile: string | null }) {
  const viewer = useViewer()
  if (profile !== null) return <AboutCreator address={profile} />
  return viewer && <ForViewer viewerId={viewer.profileId} />
}

type RailProps = { isLoading: boolean; isEmpty: boolean; children: ReactNode }

/** Hidden once it is known to be empty, which also gives its place to the screen (right-rail.module.css). */
function Rail({ isLoading, isEmpty, children }: RailProps) {
  if (isEmpty && isLoading) return null
  return (
    <aside aria-label={texts.label} hidden={isEmpty}>
      {children}
    </aside>
  )
}

/** Parts that fail to load are left out: nobody asked for them. */
function ForViewer({ viewerId }: { viewerId: string }) {
  const subscriptions = useQuery(mySubscriptionsQuery(viewerId))
  const suggestions = useQuery(suggestionsQuery())
  const current = subscriptions.data?.filter(({ access_until }) => closesAt(access_until) > Date.now()) ?? []
  const suggested = suggestions.data ?? []
  return (
    <Rail
      isLoading={subscriptions.isLoading || suggestions.isLoading}
      isEmpty={current.length === 0 && suggested.length === 0}
    >
      {current.length > 0 && (
        <Section title={menuTexts.subscriptions}>
          <ul className={classes.list}>
            {current.slice(0, shown).map(({ id, creator, plan }) => (
              <Person key={id} person={creator} detail={plan?.name} />
            ))}
          </ul>
          {current.length > shown && (
            <Link to={paths.subscriptions} className={classes.all}>
              {texts.all}
            </Link>
          )}
        </Section>
      )}
      {suggested.length > 0 && (
        <Section title={texts.suggestions}>
          <ul className={classes.list}>
            {suggested.slice(0, shown).map((creator) => (
              <Person
                key={creator.id}
                person={{ ...creator, user_id: creator.id }}
                detail={creator.username && `@${creator.username}`}
              />
            ))}
          </ul>
        </Section>
      )}
    </Rail>
  )
}

function AboutCreator({ address }: { address: string }) {
  const { data: profile, isLoading } = useQuery(profileQuery(address))
  const ofPlans = useQuery({ ...plansQuery(profile?.id ?? ''), enabled: profile?.is_verified === true })
  const plans = ofPlans.data ?? []
  // None for subscribers, and none beside the trial of a link.
  const { offerOf } = usePlanOffers(profile?.id ?? '', plans.length > 0)
  const withTrial = useTrialOffers(profile?.id ?? '', plans.length > 0)
  const url = profile?.website_url
  const website = url && websiteName(url)
  return (
    <Rail isLoading={isLoading || ofPlans.isLoading} isEmpty={plans.length === 0 && !website}>
      {profile && plans.length > 0 && (
        <Section title={texts.plans}>
          <ul className={classes.list}>
            {plans.map((plan) => {
              const { id, name, price_cents, interval, trial_days } = plan
              const offer = withTrial(plan).trial_days > trial_days ? undefined : offerOf(id)
              return (
                <li key={id}>
                  <Link to={paths.plans(addressOf(profile))} className={classes.plan}>
                    <span className={classes.names}>
                      <span dir="auto">{name}</span>
                    </span>
                    <span className={classes.price}>
                      {offer ? (
                        <OfferPrice offer={offer} interval={interval} />
                      ) : (
                        <PriceTag cents={price_cents} interval={interval} />
                      )}
                    </span>
                  </Link>
                </li>
              )
            })}
          </ul>
        </Section>
      )}
      {url && website && (
        <Section title={texts.links}>
          <OutsideLink className={classes.link} url={url}>
            <bdi dir="ltr">{website}</bdi>
          </OutsideLink>
        </Section>
      )}
    </Rail>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={classes.section} aria-labelledby={id}>
      <h2 id={id} className={classes.heading}>
        {title}
      </h2>
      {children}
    </section>
  )
}

type PersonProps = {
  person: Parameters<typeof nameOf>[0] &
    Parameters<typeof addressOf>[0] & { avatar_url: string | null; updated_at: string }
  detail: string | null | undefined
}

function Person({ person, detail }: PersonProps) {
  const name = nameOf(person)
  return (
    <li>
      <Link to={paths.profile(addressOf(person))} className={classes.person}>
        <ProfileAvatar name={name} src={publicImage(person.avatar_url, person.updated_at)} size={36} />
        <span className={classes.names}>
          <span dir="auto">{name}</span>
          {detail && <span className={classes.small}>{detail}</span>}
        </span>
      </Link>
    </li>
  )
}
