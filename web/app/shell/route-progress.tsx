import { useRouterState } from '../router-state.ts'
import classes from './route-progress.module.css'

/** A thin line at the top while the next screen loads. */
export function RouteProgress() {
  const { loading } = useRouterState()
  return loading && <div className={classes.progress} role="progressbar" aria-label="Loading page" />
}
