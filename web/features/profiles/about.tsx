import { profileTexts } from '@ovation/contract/texts/profile'
import { Tag } from '../../ui/tag.tsx'
import classes from './about.module.css'
import type { Profile } from './queries.ts'

const { about } = profileTexts
const month = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric' })

export default function About({ profile }: { profile: Profile }) {
  return (
    <dl className={`surface ${classes.about}`}>
      <div>
        <dt>{about.bio}</dt>
        <dd className={classes.bio} dir="auto">
          {profile.bio || about.nothing}
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
            <a className="reach" href={profile.website_url} target="_blank" rel="noopener noreferrer nofollow ugc">
              {profile.website_url}
            </a>
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
