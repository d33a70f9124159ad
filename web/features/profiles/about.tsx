import { profileTabsTexts } from '@ovation/contract/texts/profile-tabs'
import { LinkedText } from '../../ui/linked-text.tsx'
import { OutsideLink } from '../../ui/outside-link.tsx'
import { Tag } from '../../ui/tag.tsx'
import classes from './about.module.css'
import type { Profile } from './queries.ts'

const { about } = profileTabsTexts
const month = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric' })

export default function About({ profile }: { profile: Profile }) {
  return (
    <dl className={`surface ${classes.about}`}>
      <div>
        <dt>{about.bio}</dt>
        <dd className={classes.bio} dir="auto">
          {profile.bio ? <LinkedText text={profile.bio} /> : about.nothing}
        </dd>
      </div>
      {profile.categories.length > 0 && (
        <div>
          <dt>{about.categories}</dt>
          <dd className={classes.categories}>
            {profile.categories.map((category) => (
              <Tag key={category}>{category}</Tag>
            ))}
          </dd>
        </div>
      )}
      {profile.website_url && (
        <div>
          <dt>{about.website}</dt>
          <dd>
            <OutsideLink className="reach" url={profile.website_url}>
              {profile.website_url}
            </OutsideLink>
          </dd>
        </div>
      )}
      <div>
        <dt>{about.joined}</dt>
        <dd>{month.format(new Date(profile.created_at))}</dd>
      </div>
    </dl>
  )
}
