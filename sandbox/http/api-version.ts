/** The one version of Stripe's API whose shapes the sandbox speaks: the one that the installed SDK pins. */
export const apiVersion = '2026-10-28.endive'
