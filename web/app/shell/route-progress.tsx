import { useNavigation } from 'react-router'
import classes from './route-progress.module.css'

/** A thin line at the top while the next screen is on its way. */
export function RouteProgress() {
  const { state } = useNavigation()
  return state === 'idle' ? null : (
    <div className={classes.progress} role="progressbar" aria-label="Loading the screen" />
  )
}
