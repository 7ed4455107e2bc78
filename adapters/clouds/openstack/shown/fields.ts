import { type FieldList, plain } from "./narrow.ts";

/** Fields that nearly every thing of Neutron has. */
const network = plain("id name description project_id tenant_id status tags created_at updated_at revision_number");
const fixedIp = plain("subnet_id ip_address");
const rule = {
  ...network,
  ...plain("security_group_id direction ethertype protocol port_range_min port_range_max normalized_cidr"),
  ...plain("remote_ip_prefix remote_group_id remote_address_group_id"),
};

/** What members of a project see of its networks. Absent on purpose: `provider:*` and `segments`, `binding:*`, and whether a router is `ha` or `distributed`. */
export const networkFields = {
  floating_ips: {
    ...network,
    ...plain("floating_ip_address fixed_ip_address floating_network_id router_id port_id dns_name dns_domain"),
    port_details: plain("name network_id mac_address admin_state_up status device_id device_owner"),
    port_forwardings: plain("id external_port internal_ip_address internal_port protocol"),
    qos_policy_id: "plain",
  },
  networks: {
    ...network,
    ...plain("admin_state_up shared router:external subnets mtu is_default port_security_enabled dns_domain"),
    ...plain("availability_zone_hints availability_zones ipv4_address_scope ipv6_address_scope qos_policy_id"),
    ...plain("l2_adjacency vlan_transparent"),
  },
  ports: {
    ...network,
    ...plain("network_id mac_address admin_state_up device_id device_owner security_groups port_security_enabled"),
    ...plain("dns_name dns_domain qos_policy_id qos_network_policy_id ip_allocation propagate_uplink_status"),
    fixed_ips: fixedIp,
    allowed_address_pairs: plain("ip_address mac_address"),
    extra_dhcp_opts: plain("opt_name opt_value ip_version"),
    dns_assignment: plain("hostname ip_address fqdn"),
  },
  routers: {
    ...network,
    ...plain("admin_state_up availability_zone_hints availability_zones flavor_id"),
    external_gateway_info: { ...plain("network_id enable_snat"), external_fixed_ips: fixedIp },
    routes: plain("destination nexthop"),
  },
  security_groups: { ...network, ...plain("stateful shared"), security_group_rules: rule },
  security_groups_rules: rule,
} as const satisfies Record<string, FieldList>;

/** Fields that every thing of Octavia has. */
const balancer = plain(
  "id name description project_id tenant_id admin_state_up provisioning_status operating_status created_at updated_at tags",
);
const reference = plain("id");
const tls = plain("tls_ciphers tls_versions alpn_protocols");

/** What members of a project see of its load balancers. */
export const balancerFields = {
  healthmonitors: {
    ...balancer,
    ...plain("type delay timeout max_retries max_retries_down http_method http_version url_path expected_codes"),
    domain_name: "plain",
    pools: reference,
  },
  l7policies: {
    ...balancer,
    ...plain("action listener_id position redirect_pool_id redirect_url redirect_prefix redirect_http_code"),
    rules: reference,
  },
  l7rules: { ...balancer, ...plain("type compare_type key value invert") },
  listeners: {
    ...balancer,
    ...tls,
    ...plain("protocol protocol_port connection_limit default_pool_id default_tls_container_ref allowed_cidrs"),
    ...plain("sni_container_refs client_ca_tls_container_ref client_authentication client_crl_container_ref"),
    ...plain("timeout_client_data timeout_member_connect timeout_member_data timeout_tcp_inspect"),
    ...plain("hsts_max_age hsts_include_subdomains hsts_preload"),
    insert_headers: "map",
    l7policies: reference,
    loadbalancers: reference,
  },
  loadbalancers: {
    ...balancer,
    ...plain("vip_address vip_port_id vip_subnet_id vip_network_id vip_qos_policy_id provider flavor_id"),
    availability_zone: "plain",
    additional_vips: plain("subnet_id ip_address port_id"),
    listeners: reference,
    pools: reference,
  },
  members: {
    ...balancer,
    ...plain("address protocol_port weight backup subnet_id monitor_address monitor_port vnic_type"),
  },
  pools: {
    ...balancer,
    ...tls,
    ...plain("protocol lb_algorithm healthmonitor_id tls_enabled tls_container_ref ca_tls_container_ref"),
    crl_container_ref: "plain",
    session_persistence: plain("type cookie_name persistence_timeout persistence_granularity"),
    listeners: reference,
    loadbalancers: reference,
    members: reference,
  },
} as const satisfies Record<string, FieldList>;

/** Fields that volumes, snapshots and backups have in common. */
const volume: FieldList = {
  ...plain("id name description size status created_at updated_at"),
  metadata: "map",
};

/**
 * What members of a project see of its volumes. Absent on purpose: `os-vol-host-attr:host` and the host of an attachment, the state of a
 * migration, services and providers, `fail_reason`, which is Cinder's own text, and who made a backup, which Cinder tells administrators.
 */
export const volumeFields = {
  volumes: {
    ...volume,
    ...plain(
      "user_id availability_zone volume_type volume_type_id snapshot_id source_volid group_id consistencygroup_id",
    ),
    ...plain("bootable encrypted multiattach consumes_quota replication_status os-vol-tenant-attr:tenant_id"),
    attachments: plain("id attachment_id volume_id server_id device attached_at"),
    volume_image_metadata: "map",
  },
  snapshots: {
    ...volume,
    ...plain("user_id volume_id group_snapshot_id consumes_quota os-extended-snapshot-attributes:progress"),
    "os-extended-snapshot-attributes:project_id": "plain",
  },
  backups: {
    ...volume,
    ...plain("volume_id snapshot_id availability_zone container object_count is_incremental data_timestamp"),
    ...plain("has_dependent_backups os-backup-project-attr:project_id"),
  },
} as const satisfies Record<string, FieldList>;

/** What members of a project see inside of a server; its other fields are the portal's own. */
export const serverFields = {
  flavor: plain("id original_name vcpus ram disk ephemeral swap"),
  image: plain("id name"),
  address: plain("addr version OS-EXT-IPS-MAC:mac_addr OS-EXT-IPS:type"),
} as const satisfies Record<string, FieldList>;

/** The properties of a volume type that Cinder shows to members; the others name back ends and drivers. */
export const volumeTypeSpecs: FieldList = plain("RESKEY:availability_zones multiattach replication_enabled");
