/** For benches and tests, whose load on one account and address exceeds the quotas. */
export const noQuotas = {
  WAITING_JOBS_PER_ACCOUNT: '1000000',
  OPEN_WAITS_PER_ACCOUNT: '1000000',
  PROBES_PER_ACCOUNT: '1000000',
  PRESIGNED_BYTES_PER_ACCOUNT: '1000000000000000',
  RATE_LIMIT_PER_ACCOUNT: '1000000',
  RATE_LIMIT_PER_ADDRESS: '1000000',
}
