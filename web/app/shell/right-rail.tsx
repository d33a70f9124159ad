import { paths } from '@ovation/contract/paths'
import { menuTexts } from '@ovation/contract/texts/account-menu'
import { railTexts } from '@ovation/contract/texts/rail'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import { closesAt, mySubscriptionsQuery } from '../../domain/subscriptions/my-subscriptions.ts'
import { plansQuery } from '../../domain/subscriptions/queries.ts'
import { suggestionsQuery } from '../../features/discover/queries.ts'
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
  return (
    <aside aria-label={texts.label}>
      {profile !== null ? (
        <AboutCreator address={profile} />
      ) : (
        viewer && (
          <>
            <Subscriptions viewerId={viewer.profileId} />
            <Suggestions />
          </>
        )
      )}
    </aside>
  )
}

function Subscriptions({ viewerId }: { viewerId: string }) {
  const subscriptions = useQuery(mySubscriptionsQuery(viewerId)).data
  const current = subscriptions?.filter(({ access_until }) => closesAt(access_until) > Date.now()) ?? []
  if (current.length === 0) return null
  return (
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
  )
}

/** Left out if they fail to load: nobody asked for them. */
function Suggestions() {
  const suggestions = useQuery(suggestionsQuery()).data ?? []
  if (suggestions.length === 0) return null
  return (
    <Section title={texts.suggestions}>
      <ul className={classes.list}>
        {suggestions.slice(0, shown).map((creator) => (
          <Person
            key={creator.id}
            person={{ ...creator, user_id: creator.id }}
            detail={creator.username && `@${creator.username}`}
          />
        ))}
      </ul>
    </Section>
  )
}

function AboutCreator({ address }: { address: string }) {
  const profile = useQuery(profileQuery(address)).data
  const plans = useQuery({ ...plansQuery(profile?.id ?? ''), enabled: profile?.is_verified === true }).data ?? []
  if (!profile) return null
  const { website_url: url } = profile
  const website = url && websiteName(url)
  return (
    <>
      {plans.length > 0 && (
        <Section title={texts.plans}>
          <ul className={classes.list}>
            {plans.map(({ id, name, price_cents, interval }) => (
              <li key={id}>
                <Link to={paths.plans(addressOf(profile))} className={classes.plan}>
                  <span className={classes.names}>
                    <span dir="auto">{name}</span>
                  </span>
                  <span className={classes.price}>
                    <PriceTag cents={price_cents} interval={interval} />
                  </span>
                </Link>
              </li>
            ))}
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
    </>
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
