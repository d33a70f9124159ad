import { paths } from '@ovation/contract/paths'
import { shellTexts } from '@ovation/contract/texts/common'
import { memo } from 'react'
import { Link, useMatch } from 'react-router'
import { appConfig } from '../../lib/api/config.ts'
import classes from './footer.module.css'

/** GEN-32, GEN-33. Not below messages, which fill the window (LOOP-26). */
export const Footer = memo(function Footer() {
  if (useMatch(paths.messages)) return null
  return (
    <footer className={classes.footer}>
      <div className={classes.inner}>
        <span>{shellTexts.copyright(appConfig().name, new Date().getFullYear())}</span>
        <nav className={classes.links} aria-label={shellTexts.footerNavigation}>
          <Link to={paths.termsOfService}>{shellTexts.terms}</Link>
          <Link to={paths.privacyPolicy}>{shellTexts.privacy}</Link>
          <Link to={paths.support}>{shellTexts.support}</Link>
        </nav>
      </div>
    </footer>
  )
})
