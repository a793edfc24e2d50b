/** For benches and tests, which load one account and one address with more than a caller may. */
export const noQuotas = {
  WAITING_JOBS_PER_ACCOUNT: '1000000',
  OPEN_WAITS_PER_ACCOUNT: '1000000',
  PROBES_PER_ACCOUNT: '1000000',
  PRESIGNED_BYTES_PER_ACCOUNT: '1000000000000000',
  RATE_LIMIT_PER_ACCOUNT: '1000000',
  RATE_LIMIT_PER_ADDRESS: '1000000',
}
