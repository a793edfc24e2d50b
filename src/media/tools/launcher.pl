# Starts ffmpeg and ffprobe for the worker: forks from a few megabytes instead of the worker's hundreds, and sets limits and
# confinement in the child before it runs the tool. Node can do neither: libuv forks the whole process (33 to 45 ms of the main
# thread at 600 MB), and has no call for resource limits, Landlock or seccomp. Perl, because every Debian has it (perl-base is
# essential) and nothing must be compiled. Linux on x86_64 and aarch64. Tools with work for one core are bound to one.
#
# Standard input: records, each a 32-bit big-endian length and fields `name=value` separated by NUL; `kill=ID` alone ends a tool.
# Standard output: lines `ready …`, `pid ID PID`, `fail ID WHY`, `exit ID CODE SIGNAL CPU_MS MAX_RSS_KB REASON`.
# The end of standard input ends every tool and this process. launcher.ts is the other side.
use strict;
use warnings;
use integer;

# Landlock: rights on files (landlock(7))
use constant { EXECUTE => 1, WRITE_FILE => 2, READ_FILE => 4, READ_DIR => 8, REMOVE_FILE => 0x20, MAKE_REG => 0x100, TRUNCATE => 0x4000 };
use constant { RULE_PATH => 1, RULE_PORT => 2, CONNECT_TCP => 2 };
# seccomp: what a filter answers (seccomp(2)), and where it reads the call from
use constant { ALLOW => 0x7fff0000, REFUSE => 0x50001, NO_SUCH_CALL => 0x50026, KILL => 0x80000000 };
use constant { CALL => 0, ARCHITECTURE => 4 };
use constant { O_PATH => 0x200000 | 0x80000, WNOHANG => 1, SIGKILL => 9 };

my $is_arm = machine() eq 'aarch64';
# Numbers of system calls (asm/unistd.h). `send`: calls with flags, and which argument holds them.
my %nr = $is_arm
  ? (prctl => 167, prlimit => 261, seccomp => 277, wait4 => 260, socket => 198, clone => 220, exit_group => 94, setaffinity => 122, getaffinity => 123, send => { 206 => 3, 211 => 2, 269 => 3 })
  : (prctl => 157, prlimit => 302, seccomp => 317, wait4 => 61, socket => 41, clone => 56, exit_group => 231, setaffinity => 203, getaffinity => 204, send => { 44 => 3, 46 => 2, 307 => 3 });
# No tool needs these: tracing, signals to others, larger limits, namespaces, mounts, sockets that listen or come in pairs, keys, bpf …
$nr{deny} = $is_arm
  ? [117, 129, 164, 97, 40, 199, 200, 201, 217, 218, 219, 241, 268, 270, 271, 280, 281, 282]
  : [101, 62, 160, 272, 165, 53, 49, 50, 248, 249, 250, 298, 308, 310, 311, 321, 322, 323, 57, 58];
# … nor, on both: io_uring, pidfd_getfd, process_madvise, and the newer mount calls.
push @{ $nr{deny} }, 425 .. 433, 438, 440, 442;
my %resource = (cpu => 0, fsize => 1, data => 2, core => 4, nofile => 7);

sub machine {
  my $uname = "\0" x 390;
  syscall(-f '/lib/ld-linux-aarch64.so.1' || -f '/lib/ld-musl-aarch64.so.1' ? 160 : 63, $uname);
  return (split /\0/, substr $uname, 260, 65)[0];
}

sub call {
  my ($name, $number, @arguments) = @_;
  my $result = syscall($number, @arguments);
  die "$name: $!\n" if $result < 0;
  return $result;
}

# --- seccomp: a program of classic BPF. A block runs where its test holds, and must end in an answer. ---
sub instruction { return pack 'SCCL', @_ }
sub load_word { return instruction(0x20, 0, 0, $_[0]) }
sub mask { return instruction(0x54, 0, 0, $_[0]) }
sub answer { return instruction(6, 0, 0, $_[0]) }
sub if_equal { my ($value, @block) = @_; return (instruction(0x15, 0, scalar @block, $value), @block) }
sub unless_equal { my ($value, @block) = @_; return (instruction(0x15, scalar @block, 0, $value), @block) }
sub if_at_least { my ($value, @block) = @_; return (instruction(0x35, 0, scalar @block, $value), @block) }
sub if_any_bit { my ($bits, @block) = @_; return (instruction(0x45, 0, scalar @block, $bits), @block) }
sub argument { return 16 + 8 * $_[0] }

# Holds what Landlock does not: other protocols, processes, tracing, larger limits.
sub filter {
  my ($may_connect) = @_;
  # TCP over IPv4 only, named or by default: Landlock's rule for ports does not see MPTCP.
  my @socket = $may_connect
    ? (load_word(argument(0)), unless_equal(2, answer(REFUSE)), load_word(argument(1)), mask(0xf), unless_equal(1, answer(REFUSE)),
      load_word(argument(2)), if_equal(0, answer(ALLOW)), if_equal(6, answer(ALLOW)), answer(REFUSE))
    : answer(REFUSE);
  return join '',
    load_word(ARCHITECTURE), unless_equal($is_arm ? 0xC00000B7 : 0xC000003E, answer(KILL)),
    load_word(CALL), if_at_least(0x40000000, answer(REFUSE)), # x32 has numbers of its own
    (map { if_equal($_, answer(REFUSE)) } @{ $nr{deny} }),
    if_equal(435, answer(NO_SUCH_CALL)), # clone3 hides its flags: libc then takes clone
    if_equal($nr{clone}, load_word(argument(0)), if_any_bit(0x10000, answer(ALLOW)), answer(REFUSE)), # threads only
    if_equal($nr{prlimit}, load_word(argument(2)), unless_equal(0, answer(REFUSE)), load_word(argument(2) + 4), unless_equal(0, answer(REFUSE)), answer(ALLOW)), # reads only
    if_equal($nr{socket}, @socket),
    # MSG_FASTOPEN connects without Landlock's check.
    (map { if_equal($_, load_word(argument($nr{send}{$_})), if_any_bit(0x20000000, answer(REFUSE)), answer(ALLOW)) } sort keys %{ $nr{send} }),
    answer(ALLOW);
}

# --- Landlock ---
my $landlock = syscall(444, 0, 0, 1);
$landlock = 0 if $landlock < 0;

sub restrict_files {
  my ($tool, $request) = @_;
  my $rights = $landlock >= 5 ? 0xffff : $landlock >= 3 ? 0x7fff : $landlock == 2 ? 0x3fff : 0x1fff;
  # Rights on files, then on ports from 4 on, then scopes (signals, abstract sockets) from 6 on.
  my $ruleset = pack 'Q3', $rights, 3, 3;
  my $fd = call('landlock', 444, $ruleset, $landlock >= 6 ? 24 : $landlock >= 4 ? 16 : 8, 0);
  my $allow = sub {
    my ($path, $on_folder, $on_file) = @_;
    sysopen my $at, $path, O_PATH or return;
    my $rule = pack 'Ql', (-d $at ? $on_folder | $on_file : $on_file) & $rights, fileno $at;
    call("landlock rule $path", 445, $fd, RULE_PATH, $rule, 0);
  };
  $allow->($_, READ_DIR, READ_FILE) for @{ $request->{read} || [] };
  # Plain files only: a link made here would lead the worker astray.
  $allow->($_, MAKE_REG | REMOVE_FILE | READ_DIR, WRITE_FILE | READ_FILE | TRUNCATE) for @{ $request->{write} || [] };
  $allow->($_, 0, EXECUTE | READ_FILE) for $tool, glob '/lib/ld-*.so.* /lib64/ld-*.so.*';
  $allow->('/dev/null', 0, READ_FILE | WRITE_FILE);
  $allow->('/dev/urandom', 0, READ_FILE);
  for my $port ($landlock >= 4 ? @{ $request->{connect} || [] } : ()) {
    my $rule = pack 'Q2', CONNECT_TCP, $port;
    call('landlock port', 445, $fd, RULE_PORT, $rule, 0);
  }
  call('landlock_restrict_self', 446, $fd, 0);
}

# --- one tool ---
my (%running, %pid_of);

# --- the core of a tool that needs one ---
sub idle_ticks {
  open my $stat, '<', '/proc/stat' or return {};
  return { map { /^cpu(\d+)(?: \d+){3} (\d+)/ ? ($1 => $2) : () } <$stat> };
}

my $idle_before = idle_ticks();

# The core with the fewest of these tools. Of several, one that was not busy with other work since the last of them started, and of
# those any, so that the workers of a machine take different ones. Undefined if the kernel does not tell.
sub least_used_core {
  my $allowed = "\0" x 128;
  return if syscall($nr{getaffinity}, 0, length $allowed, $allowed) < 0;
  my @cores = grep { vec $allowed, $_, 1 } 0 .. 8 * length($allowed) - 1;
  my %tools;
  for (grep { defined $_->{core} } values %running) { $tools{ $_->{core} }++ }
  my $idle = idle_ticks();
  my %rest = map { $_ => ($idle->{$_} || 0) - ($idle_before->{$_} || 0) } @cores;
  $idle_before = $idle;
  my ($most) = sort { $b <=> $a } values %rest;
  my %order = map { $_ => [$tools{$_} || 0, 2 * $rest{$_} < $most, int rand 1e6] } @cores;
  my ($core) = sort { $order{$a}[0] <=> $order{$b}[0] || $order{$a}[1] <=> $order{$b}[1] || $order{$a}[2] <=> $order{$b}[2] } @cores;
  return $core;
}

sub stay_on {
  my $mask = "\0" x 128;
  vec($mask, $_[0], 1) = 1;
  syscall($nr{setaffinity}, 0, length $mask, $mask); # a core that was taken away meanwhile is no reason to fail
}

sub close_descriptor { open my $handle, '<&=', $_[0]; close $handle }

sub confine {
  my ($tool, $request) = @_;
  for (@{ $request->{limit} || [] }) {
    my ($name, $value) = split /:/;
    my $limit = pack 'Q2', $value, $value;
    call("limit $name", $nr{prlimit}, 0, $resource{$name} + 0, $limit, 0);
  }
  # While tools use every core, the service still answers: each five levels are a third of the share (sched(7)).
  setpriority(0, 0, $request->{nice}[0] + getpriority(0, 0));
  # Where memory runs out, the kernel ends the tool before the worker.
  if (open my $adjust, '>', '/proc/self/oom_score_adj') { syswrite $adjust, '1000' }
  call('no_new_privs', $nr{prctl}, 38, 1, 0, 0, 0);
  if ($> == 0) { syscall($nr{prctl}, 24, $_, 0, 0, 0) for 0 .. 63 } # drops every capability from the bounding set
  return unless $request->{confine};
  restrict_files($tool, $request) if $landlock;
  my $filter = filter(scalar @{ $request->{connect} || [] });
  my $program = pack 'S x6 P', length($filter) / 8, $filter;
  call('seccomp', $nr{seccomp}, 1, 0, $program);
}

# The worker connects the tool's standard streams, in their order, as soon as it knows the process.
sub listen_for_streams {
  my ($path) = @_;
  socket my $listener, 1, 1, 0 or die "socket: $!\n";
  bind $listener, pack('S Z*', 1, $path) or die "bind: $!\n";
  listen $listener, 3 or die "listen: $!\n";
  return $listener;
}

sub run_tool {
  my ($request, $launcher, $listener, $core) = @_;
  close_descriptor($_->{pidfd}) for values %running; # they would count against its limit of open files
  $SIG{$_} = 'DEFAULT' for qw(INT TERM HUP PIPE);
  call('pdeathsig', $nr{prctl}, 1, SIGKILL, 0, 0, 0);
  die "the launcher ended\n" if getppid != $launcher;
  open STDIN, '<', '/dev/null';
  my @standard = (\*STDIN, \*STDOUT, \*STDERR);
  for (split //, $request->{stdio}[0]) {
    accept my $stream, $listener or die "accept: $!\n";
    open $standard[$_], ($_ ? '>&' : '<&') . fileno $stream;
  }
  close $listener;
  chdir $request->{cwd}[0] or die "cwd: $!\n" if $request->{cwd};
  %ENV = map { split /=/, $_, 2 } @{ $request->{env} || [] };
  my $program = $request->{arg}[0];
  my ($tool) = grep { -x && !-d _ } $program =~ m{/} ? $program : map { "$_/$program" } split /:/, $ENV{PATH} || '/usr/bin';
  die "exec: No such file or directory\n" unless $tool;
  stay_on($core) if defined $core;
  confine($tool, $request);
  no warnings;
  exec { $tool } @{ $request->{arg} } or die "exec: $!\n";
}

sub start {
  my %request;
  for (split /\0/, shift, -1) { my ($name, $value) = split /=/, $_, 2; push @{ $request{$name} }, $value }
  my ($id, $launcher) = ($request{id}[0], $$);
  my $socket = $request{socket}[0];
  # Before the fork: the worker connects when it reads the process id. Streams of a tool that is gone are refused.
  my $listener = eval { listen_for_streams($socket) };
  return print "fail $id $@" if $@;
  my $core = $request{one_core} ? least_used_core() : undef;
  my $pid = fork;
  unless (defined $pid) {
    print "fail $id fork: $!\n";
    return unlink $socket;
  }
  if ($pid == 0) {
    eval { run_tool(\%request, $launcher, $listener, $core) };
    my $why = $@;
    eval { syswrite STDERR, "launcher: $why" };
    syscall($nr{exit_group}, 125);
  }
  $running{$pid} = { id => $id, socket => $socket, core => $core, pidfd => syscall(434, $pid, 0), max_rss_kb => $request{memory} ? $request{memory}[0] / 1024 : 0, reason => '-' };
  $pid_of{$id} = $pid;
  print "pid $id $pid\n";
}

sub reap {
  my ($status, $usage) = (pack('L', 0), "\0" x 160);
  while ((my $pid = syscall($nr{wait4}, -1, $status, WNOHANG, $usage)) > 0) {
    my $tool = delete $running{$pid} or next;
    delete $pid_of{ $tool->{id} };
    close_descriptor($tool->{pidfd});
    unlink $tool->{socket};
    my $ended = unpack 'L', $status;
    my ($user_s, $user_us, $system_s, $system_us, $max_rss_kb) = unpack 'q5', $usage;
    my $cpu_ms = ($user_s + $system_s) * 1000 + ($user_us + $system_us) / 1000;
    print join(' ', 'exit', $tool->{id}, $ended >> 8 & 255, $ended & 127, $cpu_ms, $max_rss_kb, $tool->{reason}), "\n";
  }
}

# A limit of the kernel's makes the tools drop frames and exit with 0 (get_buffer() failed): memory is watched instead.
sub end_those_over_memory {
  for my $pid (grep { $running{$_}{max_rss_kb} } keys %running) {
    open my $status, '<', "/proc/$pid/status" or next;
    my ($rss_kb) = map { /^VmRSS:\s+(\d+)/ ? $1 : () } <$status>;
    next unless defined $rss_kb && $rss_kb > $running{$pid}{max_rss_kb};
    $running{$pid}{reason} = 'memory';
    kill SIGKILL, $pid;
  }
}

# --- the launcher ---
$SIG{$_} = 'IGNORE' for qw(INT TERM HUP PIPE); # the worker ends it by closing its input
$| = 1;
$0 = 'tool-launcher';
call('pdeathsig', $nr{prctl}, 1, SIGKILL, 0, 0, 0);
close_descriptor(call('pidfd_open', 434, $$ + 0, 0)); # since Linux 5.3; without it, nothing here works
my $has_seccomp = syscall($nr{seccomp}, 2, 0, my $errno = pack('L', 0x50000)) == 0 ? 1 : 0;
print "ready landlock=$landlock seccomp=$has_seccomp\n";

my $input = '';
while (1) {
  my $readable = '';
  vec($readable, 0, 1) = 1;
  vec($readable, $_->{pidfd}, 1) = 1 for values %running;
  my $some = select $readable, undef, undef, (grep { $_->{max_rss_kb} } values %running) ? 0.05 : undef;
  if ($some > 0 && vec $readable, 0, 1) {
    sysread(STDIN, $input, 65536, length $input) or last;
    while (length $input >= 4 && length $input >= 4 + (my $length = unpack 'N', $input)) {
      my $record = substr $input, 4, $length;
      substr($input, 0, 4 + $length) = '';
      if ($record =~ /^kill=(\d+)$/) { kill SIGKILL, $pid_of{$1} if $pid_of{$1} }
      else { start($record) }
    }
  }
  reap() if %running;
  end_those_over_memory();
}
kill SIGKILL, keys %running;
