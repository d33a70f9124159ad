import { paths } from '@ovation/contract/paths'
import { Link } from 'react-router'
import { appConfig } from '../../lib/api/config.ts'
import classes from './wordmark.module.css'

/** The site's name in the display serif, with a period in the accent color (GEN-18). */
export function Wordmark() {
  return (
    <Link to={paths.home} className={classes.wordmark}>
      {appConfig().name}
      <span className={classes.stop} aria-hidden="true" />
    </Link>
  )
}
