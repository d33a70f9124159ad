import { profileLayoutTexts as texts } from '@ovation/contract/texts/profile-layouts'
import { IconCircleCheck, IconLink } from '@tabler/icons-react'
import type { ProfileLink } from '../../domain/creators/layout.ts'
import { websiteName } from '../../lib/format/website-name.ts'
import { OutsideLink } from '../../ui/outside-link.tsx'
import classes from './profile-links.module.css'

const icon = <IconLink size={17} stroke={1.6} aria-hidden="true" />

type Props = {
  /** The server accepts only http and https. */
  website: string | null
  links: ProfileLink[]
}

/** A user's website, and a creator's other sites with a mark on those that link back (PAGE-01). */
export default function ProfileLinks({ website, links }: Props) {
  const name = website && websiteName(website)
  if (!name && links.length === 0) return null
  return (
    <ul className={classes.links} aria-label={texts.links}>
      {website && name && (
        <li className={classes.website}>
          <OutsideLink className={`reach ${classes.link}`} url={website}>
            {icon}
            <bdi dir="ltr">{name}</bdi>
          </OutsideLink>
        </li>
      )}
      {links.map(({ id, label, url, verified_at }) => (
        <li key={id}>
          {/* "me" lets the other site verify this profile in turn. */}
          <OutsideLink className={`reach ${classes.link}`} url={url} rel="me noopener noreferrer nofollow ugc">
            {icon}
            <bdi>{label}</bdi>
          </OutsideLink>
          {verified_at && <Verified site={websiteName(url) ?? url} />}
        </li>
      ))}
    </ul>
  )
}

/** It names the site, because the creator chooses the label: "Instagram" could lead anywhere. */
function Verified({ site }: { site: string }) {
  const words = texts.verified(site)
  return (
    <span className={classes.verified} title={words}>
      <span role="img" aria-label={words}>
        <IconCircleCheck size={17} stroke={1.6} aria-hidden="true" />
      </span>
      <bdi dir="ltr" aria-hidden="true">
        {site}
      </bdi>
    </span>
  )
}
